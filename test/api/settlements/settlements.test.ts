import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { newCharge, stored } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

describe('Settlements', () => {
  const stack = useStack({ workers: false, books: false, newTenants: true });

  const read = async (id: string) => (await stack.api.get(`/settlements/${id}`)).json;
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  const settled = (settlementId: string) =>
    ({ status: 'settled', channel: 'card', settlementId }) as const;

  it('have every field, null until it is known', async () => {
    const id = await addSettlement(stack, { expectedKobo: 500_000 });
    const { created_at, ...rest } = await read(id);
    expect(created_at).to.match(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
    expect(rest).to.deep.equal({
      ...{ object: 'settlement', id, provider: 'provider_a', status: 'expected', mode: 'test' },
      provider_reference: id,
      ...{ expected_date: null, expected_amount_kobo: 500_000, landed_amount_kobo: null },
      ...{ shortfall_kobo: null, gross_kobo: 0, fee_kobo: 0, refunds_kobo: 0, chargebacks_kobo: 0 },
      ...{ transaction_count: 0, foreign_kobo: 0, foreign_count: 0, bank: null, landed_at: null },
    });
  });

  it('show what landed, where, and the shortfall', async () => {
    const landed = {
      ...{ expectedDate: '2026-03-03', landedAt: new Date('2026-03-03T08:15:00Z') },
      ...{ bank: { name: 'Zenith Bank', last4: '0042' }, slot: 'provider_b' as const },
      ...{ feeKobo: 7_500, transactionCount: 3, expectedKobo: 500_000 },
    };
    const short = { ...landed, status: 'short', landedKobo: 420_000 } as const;
    expect(await read(await addSettlement(stack, short))).to.deep.include({
      ...{ status: 'short', provider: 'provider_b', expected_date: '2026-03-03' },
      ...{ landed_amount_kobo: 420_000, shortfall_kobo: 80_000, fee_kobo: 7_500 },
      ...{ transaction_count: 3, bank: { name: 'Zenith Bank', account_last4: '0042' } },
      landed_at: '2026-03-03T08:15:00.000Z',
    });
    for (const landedKobo of [500_000, 500_001]) {
      const id = await addSettlement(stack, { ...landed, status: 'landed', landedKobo });
      expect((await read(id)).shortfall_kobo).to.equal(0);
    }
  });

  it('are filtered by expected date, both days included', async () => {
    const days = ['2026-02-28', '2026-03-01', '2026-03-02'];
    const [a, b, c] = await Promise.all(
      days.map((expectedDate) => addSettlement(stack, { expectedDate })),
    );
    const none = await addSettlement(stack, { status: 'failed' });
    for (const [query, ids] of [
      ['from=2026-03-01', [c, b]],
      ['to=2026-03-01', [b, a]],
      ['from=2026-03-01&to=2026-03-01', [b]],
      ['', [none, c, b, a]],
    ] as const)
      expect(idsOf((await stack.api.get(`/settlements?${query}`)).json)).to.have.members(ids);
  });

  describe('list their transactions', () => {
    const list = async (settlement: string, query = '') =>
      (await stack.api.get(`/settlements/${settlement}/transactions?${query}`)).json;

    async function expectPages(settlement: string, ids: string[], settlement_id: string | null) {
      const first = await list(settlement, 'limit=2');
      const second = await list(settlement, `limit=2&cursor=${first.next_cursor}`);
      expect([...idsOf(first), ...idsOf(second)]).to.deep.equal(ids);
      expect(second).not.to.have.property('next_cursor');
      const { json } = await stack.api.get(`/transactions/${ids[0]}`);
      expect(first.data[0]).to.deep.equal(json);
      expect(json).to.include({ settlement_id });
    }

    it('newest first, page by page', async () => {
      const [settlement, another] = [await addSettlement(stack), await addSettlement(stack)];
      const likes = [settled(settlement), settled(settlement), settled(settlement)];
      const charges = await addCharges(stack, likes);
      await addCharges(stack, [settled(another), {}]);
      await expectPages(settlement, charges.toReversed(), settlement);
    });

    it("and refuse another settlement's cursor", async () => {
      const [one, other] = [await addSettlement(stack), await addSettlement(stack)];
      await addCharges(stack, [settled(one), settled(one)]);
      const path = `/settlements/${other}/transactions?cursor=`;
      const refused = await stack.api.get(path + (await list(one, 'limit=1')).next_cursor);
      expectRefused(refused, 'validation_failed', ['cursor']);
    });

    async function addPayment(settlesOn: string | null, settlementId: string | null = null) {
      const { id, attempts } = await stored(stack, await newCharge(stack));
      const { id: attemptId, connection_id: connectionId } = attempts[0]!;
      const captureId = newId('cap', stack.clock());
      await stack.sql`insert into captures (id, charge_id, attempt_id, connection_id,
           provider_payment_id, status, amount_kobo, currency, channel, captured_at, recorded_at,
           settles_on, settlement_id)
         values (${captureId}, ${id}, ${attemptId}, ${connectionId}, ${captureId}, 'applied',
           100000, 'NGN', 'card', ${stack.clock()}, ${stack.clock()}, ${settlesOn}, ${settlementId})`;
      return { id: id as string, connectionId: connectionId as string };
    }

    async function addForecast(connectionId: string, day: string): Promise<string> {
      const id = await addSettlement(stack, { expectedDate: day });
      await stack.sql`update settlements set step = 'forecast', provider_settlement_id = null,
        connection_id = ${connectionId} where id = ${id}`;
      return id;
    }

    it('that an expected one is expected to contain, newest first, page by page', async () => {
      const payments = [];
      for (let n = 0; n < 3; n++) payments.unshift(await addPayment('2026-03-05'));
      await addPayment('2026-03-06');
      await addPayment(null);
      await addPayment('2026-03-05', await addSettlement(stack));
      const settlement = await addForecast(payments[0]!.connectionId, '2026-03-05');
      await expectPages(settlement, idsOf({ data: payments }), null);
    });

    it('and none of another connection that pays out on the same day', async () => {
      const { connectionId } = await addPayment('2026-04-01');
      const [other] = await stack.sql<{ id: string }>`select id from connections
        where tenant_id = ${stack.tenant.tenant_id} and mode = 'test'
        and id <> ${connectionId} limit 1`;
      const settlement = await addForecast(other!.id, '2026-04-01');
      expect((await list(settlement)).data).to.deep.equal([]);
    });
  });
});
