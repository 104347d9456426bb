import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { addDiscrepancy } from '../../support/discrepancies.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

describe('GET /discrepancies', () => {
  const stack = useStack({ workers: false, newTenants: true });

  const list = async (query = ''): Promise<string[]> => {
    const { status, json, text } = await stack.api.get(`/discrepancies?${query}`);
    expect(status, text).to.equal(200);
    return json.data.map(({ id }: { id: string }) => id);
  };

  /** A line of a settlement, for the payment of a charge. */
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

  it('filters by status, kind, settlement, provider and day, both days included, and by all of them together', async () => {
    const [one, other] = [
      await addSettlement(stack),
      await addSettlement(stack, { slot: 'provider_b' }),
    ];
    const a = await addDiscrepancy(stack, { settlementId: one, day: '2026-02-28' });
    const b = await addDiscrepancy(stack, {
      settlementId: other,
      slot: 'provider_b',
      kind: 'short',
      day: '2026-03-01',
      reference: null,
    });
    const c = await addDiscrepancy(stack, {
      status: 'closed',
      settlementId: one,
      kind: 'amount_mismatch',
      day: '2026-03-01',
    });
    const d = await addDiscrepancy(stack, {
      status: 'resolved',
      kind: 'missing',
      day: '2026-03-02',
    });
    const found: [query: string, ids: string[]][] = [
      ['', [d, c, b, a]],
      ['status=open', [b, a]],
      ['status=closed', [c]],
      ['status=resolved', [d]],
      ['kind=short', [b]],
      ['kind=surplus', []],
      ['provider=provider_b', [b]],
      [`settlement=${one}`, [c, a]],
      [`settlement=${one}&status=open`, [a]],
      [`settlement=${one}&kind=amount_mismatch`, [c]],
      [`settlement=${one}&provider=provider_b`, []],
      [`settlement=${one}&from=2026-03-01`, [c]],
      [`settlement=${one}&to=2026-02-28`, [a]],
      [`settlement=${newId('stl', stack.clock())}`, []],
      ['from=2026-03-01', [d, c, b]],
      ['to=2026-03-01', [c, b, a]],
      ['from=2026-03-01&to=2026-03-01', [c, b]],
      ['from=0001-01-01&to=9999-12-31', [d, c, b, a]],
    ];
    const all = 'status=open&kind=short&provider=provider_b&from=2026-03-01&to=2026-03-01';
    found.push([all, [b]], [`${all}&settlement=${other}`, [b]]);
    for (const [query, ids] of found) expect(await list(query), query).to.deep.equal(ids);
  });
});
