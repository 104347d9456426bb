import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { auditOf } from '../../support/audit.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal } from '../../support/contract.ts';
import { addDiscrepancy } from '../../support/discrepancies.ts';
import { useMember } from '../../support/members.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

const REASON = 'The provider paid it by bank transfer.';

describe('A discrepancy', () => {
  const stack = useStack({ workers: false, books: false, newTenants: true });

  const developer = useMember(stack, 'developer');
  const close = (id: string, body: object = { reason: REASON }) =>
    developer.api.post(`/discrepancies/${id}/close`, body);

  async function addLine(settlementId: string): Promise<string> {
    const id = newId('sln', stack.clock());
    await stack.sql`insert into settlement_lines (id, settlement_id, connection_id, provider_payment_id,
         reference, amount_kobo, fee_kobo, is_foreign, needs_rematch, statement_version)
       values (${id}, ${settlementId}, 'con_unknown', '4099260516', 'SV-100001-4f7k2m9p', 250000, 6250, false,
         false, 1)`;
    return id;
  }

  it('is answered with every field and its settlement line', async () => {
    const settlementId = await addSettlement(stack);
    const [chargeId] = await addCharges(stack, [{}]);
    const lineId = await addLine(settlementId);
    const found = { settlementId, lineId, chargeId: chargeId!, day: '2026-03-04' };
    const id = await addDiscrepancy(stack, { ...found, differenceKobo: -2_500 });
    const answer = await stack.api.get(`/discrepancies/${id}`);
    expect(answer.status, answer.text).to.equal(200);
    const { opened_at: openedAt, ...rest } = answer.json;
    const reference = 'SV-100001-4f7k2m9p';
    const amounts = { amount_kobo: 250_000, fee_kobo: 6_250 };
    expect(rest).to.deep.equal({
      ...{ object: 'discrepancy', id, kind: 'fee_mismatch', provider: 'provider_a', mode: 'test' },
      ...{ settlement_id: settlementId, transaction_id: chargeId, reference, amount_kobo: 2_500 },
      ...{
        difference_kobo: -2_500,
        detail: 'The fee differs.',
        date: '2026-03-04',
        status: 'open',
      },
      line: { provider_reference: '4099260516', reference, ...amounts },
      ...{ closed_by: null, close_reason: null, ended_at: null },
    });
    expect((await stack.api.get('/discrepancies')).json.data).to.deep.equal([answer.json]);
  });

  it('of a whole settlement has null for the fields of a payment, and the settlement in the audit log', async () => {
    const settlementId = await addSettlement(stack);
    const short = { kind: 'short', reference: null } as const;
    const id = await addDiscrepancy(stack, { ...short, settlementId });
    const { json } = await close(id);
    expect(json).to.include({ ...short, transaction_id: null, line: null, status: 'closed' });
    expect(json.ended_at).to.be.a('string');
    const [entry] = await auditOf(stack, id);
    expect(entry!.detail).to.equal(`short of ${settlementId}: ${REASON}`);
  });

  it('is closed, shows who and why, and is in the audit log', async () => {
    const id = await addDiscrepancy(stack);
    const before = (await stack.api.get(`/discrepancies/${id}`)).json;
    const answer = await close(id);
    expect(answer.status, answer.text).to.equal(200);
    const { ended_at: endedAt } = answer.json;
    const closed = { status: 'closed', closed_by: developer.memberId, close_reason: REASON };
    expect(answer.json).to.deep.equal({ ...before, ...closed, ended_at: endedAt });
    expect((await stack.api.get(`/discrepancies/${id}`)).json).to.deep.equal(answer.json);
    const detail = `fee_mismatch of SV-100001-4f7k2m9p: ${REASON}`;
    const entry = { actor: developer.memberId, action: 'discrepancy.closed', detail };
    expect(await auditOf(stack, id)).to.deep.equal([entry]);
  });

  it('that is closed or resolved is not closed again, with a reason', async () => {
    for (const [status, words] of [
      ['closed', 'is closed already'],
      ['resolved', 'is resolved'],
    ] as const) {
      const id = await addDiscrepancy(stack, { status });
      const refused = await expectRefusal(stack, () => close(id), 'invalid_state');
      expect(refused.json.error.message).to.include(words);
    }
  });

  it('is closed once when many requests come at once; the others are refused', async () => {
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
