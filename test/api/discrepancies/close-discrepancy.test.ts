import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal } from '../../support/contract.ts';
import { addDiscrepancy } from '../../support/discrepancies.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

const REASON = 'The provider paid it by bank transfer.';

describe('POST /discrepancies/{id}/close', () => {
  const stack = useStack({ workers: false });
  let developer: SignedIn;
  before(async () => {
    developer = await memberOf(stack, stack.tenant, 'developer');
  });

  const close = (id: string, body: object = { reason: REASON }, key = developer.token) =>
    stack.api.post(`/discrepancies/${id}/close`, body, { key });

  it('closes it, shows who and why, and is in the audit log', async () => {
    const id = await addDiscrepancy(stack);
    const before = (await stack.api.get(`/discrepancies/${id}`)).json;
    const answer = await close(id);
    expect(answer.status, answer.text).to.equal(200);
    const { ended_at: endedAt } = answer.json;
    const closed = {
      status: 'closed',
      closed_by: developer.memberId,
      close_reason: REASON,
      ended_at: endedAt,
    };
    expect(answer.json).to.deep.equal({ ...before, ...closed });
    expect((await stack.api.get(`/discrepancies/${id}`)).json).to.deep.equal(answer.json);
    expect(await auditOf(stack, id)).to.deep.equal([
      {
        actor: developer.memberId,
        action: 'discrepancy.closed',
        detail: `fee_mismatch of SV-100001-4f7k2m9p: ${REASON}`,
      },
    ]);
  });

  it('records a discrepancy of a whole settlement with the settlement in the audit log', async () => {
    const settlementId = await addSettlement(stack);
    const id = await addDiscrepancy(stack, { kind: 'short', settlementId, reference: null });
    expect((await close(id)).status).to.equal(200);
    const [entry] = await auditOf(stack, id);
    expect(entry!.detail).to.equal(`short of ${settlementId}: ${REASON}`);
  });

  it('refuses a closed or resolved discrepancy with a reason', async () => {
    for (const [status, words] of [
      ['closed', 'is closed already'],
      ['resolved', 'is resolved'],
    ] as const) {
      const id = await addDiscrepancy(stack, { status });
      const refused = await expectRefusal(stack, () => close(id), 'invalid_state');
      expect(refused.json.error.message).to.include(words);
    }
  });

  it('closes it once when many requests come at once; the others are refused', async () => {
    const id = await addDiscrepancy(stack);
    const answers = await whileHeld(
      stack,
      (sql) => sql.query('select 1 from discrepancies where id = $1 for update', [id]),
      () => [1, 2, 3].map((n) => close(id, { reason: `Reason ${n}.` })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
    const { close_reason: reason } = answers.find(({ status }) => status === 200)!.json;
    expect((await stack.api.get(`/discrepancies/${id}`)).json.close_reason).to.equal(reason);
    expect(await auditOf(stack, id)).to.have.length(1);
  });
});
