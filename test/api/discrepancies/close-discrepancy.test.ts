import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectContractHeaders, expectError } from '../../support/contract.ts';
import { addDiscrepancy } from '../../support/discrepancies.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';
import { addSettlement } from '../settlements/given.ts';

const REASON = 'The provider paid it by bank transfer.';

describe('POST /discrepancies/{id}/close', () => {
  let stack: Stack;
  let developer: SignedIn;
  before(async () => {
    stack = await startStack({ workers: false });
    developer = await memberOf(stack, stack.tenant, 'developer');
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  const close = (id: string, body: object = { reason: REASON }, key = developer.token) =>
    stack.api.post(`/discrepancies/${id}/close`, body, { key });

  it('closes it, shows who and why, and is in the audit log', async () => {
    const id = await addDiscrepancy(stack);
    const before = (await stack.api.get(`/discrepancies/${id}`)).json;
    const answer = await close(id);
    expect(answer.status, answer.text).to.equal(200);
    expectContractHeaders(answer, stack.tenant.tenant_id);
    const { ended_at: endedAt } = answer.json;
    expect(new Date(endedAt).toISOString()).to.equal(endedAt);
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
      const refused = await writingNothing(stack, () => close(id));
      expectError(refused, 409, 'invalid_state');
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

  it('requires a reason of 1 to 500 characters, and accepts nothing else', async () => {
    const id = await addDiscrepancy(stack);
    for (const [body, field] of [
      [{}, 'reason'],
      [{ reason: '' }, 'reason'],
      [{ reason: null }, 'reason'],
      [{ reason: 'x'.repeat(501) }, 'reason'],
      [{ reason: 'a\0b' }, 'reason'],
      [{ reason: REASON, status: 'resolved' }, 'status'],
    ] as const) {
      expectError(await writingNothing(stack, () => close(id, body)), 422, 'validation_failed', [
        field,
      ]);
    }
    expect((await close(id, { reason: 'x'.repeat(500) })).status).to.equal(200);
  });

  it('is for Owners and developers, not for viewers, nor for keys', async () => {
    const owner = await memberOf(stack, stack.tenant, 'owner');
    expect(
      (await close(await addDiscrepancy(stack), { reason: REASON }, owner.token)).status,
    ).to.equal(200);
    const id = await addDiscrepancy(stack);
    const viewer = await memberOf(stack, stack.tenant, 'viewer');
    for (const key of [viewer.token, stack.tenant.secret_key_test, stack.tenant.public_key_test]) {
      expectError(
        await writingNothing(stack, () => close(id, { reason: REASON }, key)),
        403,
        'forbidden',
      );
    }
  });

  it('answers 404 in another business, in the other mode, and for a malformed id', async () => {
    const id = await addDiscrepancy(stack);
    const stranger = await memberOf(stack, await stack.newTenant({ connected: false }), 'owner');
    const inLive = await memberOf(stack, stack.tenant, 'owner', 'live');
    for (const { token } of [stranger, inLive]) {
      expectError(
        await writingNothing(stack, () => close(id, { reason: REASON }, token)),
        404,
        'not_found',
      );
    }
    for (const name of ['dsc_01h455vb4pex5vsknk084sn02q', 'dsc_', '%00'])
      expectError(await close(name), 404, 'not_found');
  });
});
