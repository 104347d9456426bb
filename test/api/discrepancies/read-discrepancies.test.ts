import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { addDiscrepancy } from '../../support/discrepancies.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

describe('GET /discrepancies', () => {
  const stack = useStack({ workers: false, newTenants: true });

  async function addLine(settlementId: string): Promise<string> {
    const id = newId('sln', stack.clock());
    await stack.sql`insert into settlement_lines (id, settlement_id, connection_id, provider_payment_id,
         reference, amount_kobo, fee_kobo, is_foreign, needs_rematch, statement_version)
       values (${id}, ${settlementId}, 'con_unknown', '4099260516', 'SV-100001-4f7k2m9p', 250000, 6250, false,
         false, 1)`;
    return id;
  }

  it('answers every field, with its settlement line', async () => {
    const settlementId = await addSettlement(stack);
    const [chargeId] = await addCharges(stack, [{}]);
    const lineId = await addLine(settlementId);
    const id = await addDiscrepancy(stack, {
      settlementId,
      lineId,
      chargeId: chargeId!,
      day: '2026-03-04',
      differenceKobo: -2_500,
    });
    const answer = await stack.api.get(`/discrepancies/${id}`);
    expect(answer.status, answer.text).to.equal(200);
    const { opened_at: openedAt, ...rest } = answer.json;
    expect(rest).to.deep.equal({
      object: 'discrepancy',
      id,
      kind: 'fee_mismatch',
      provider: 'provider_a',
      status: 'open',
      settlement_id: settlementId,
      transaction_id: chargeId,
      reference: 'SV-100001-4f7k2m9p',
      amount_kobo: 2_500,
      difference_kobo: -2_500,
      detail: 'The fee differs.',
      line: {
        provider_reference: '4099260516',
        reference: 'SV-100001-4f7k2m9p',
        amount_kobo: 250_000,
        fee_kobo: 6_250,
      },
      date: '2026-03-04',
      closed_by: null,
      close_reason: null,
      ended_at: null,
      mode: 'test',
    });
    expect((await stack.api.get('/discrepancies')).json.data).to.deep.equal([answer.json]);
  });

  it('answers null for the fields that a whole settlement does not have', async () => {
    const settlementId = await addSettlement(stack);
    const id = await addDiscrepancy(stack, {
      kind: 'short',
      status: 'resolved',
      settlementId,
      reference: null,
    });
    const { json } = await stack.api.get(`/discrepancies/${id}`);
    expect(json).to.include({
      kind: 'short',
      status: 'resolved',
      transaction_id: null,
      reference: null,
      line: null,
    });
    expect(json.ended_at).to.be.a('string');
  });
});
