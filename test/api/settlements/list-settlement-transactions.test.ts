import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { newCharge, stored } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

describe('GET /settlements/{id}/transactions', () => {
  const stack = useStack({ workers: false });

  const settled = (settlementId: string) =>
    ({ status: 'settled', channel: 'card', settlementId }) as const;

  it('answers its transactions, newest first, page by page', async () => {
    const [settlement, another] = [await addSettlement(stack), await addSettlement(stack)];
    const charges = await addCharges(
      stack,
      Array.from({ length: 5 }, () => settled(settlement)),
    );
    await addCharges(stack, [settled(another), {}]);
    const path = `/settlements/${settlement}/transactions`;
    const first = await stack.api.get(`${path}?limit=3`);
    expect(Object.keys(first.json)).to.deep.equal(['data', 'next_cursor', 'tenant_id']);
    const second = (await stack.api.get(`${path}?limit=3&cursor=${first.json.next_cursor}`)).json;
    expect([...first.json.data, ...second.data].map(({ id }) => id)).to.deep.equal(
      [...charges].reverse(),
    );
    expect(second).not.to.have.property('next_cursor');
    expect(second.data[1]).to.deep.equal((await stack.api.get(`/transactions/${charges[0]}`)).json);
    expect(second.data[1]).to.include({ settlement_id: settlement });
  });

  it("refuses another settlement's cursor", async () => {
    const [one, other] = [await addSettlement(stack), await addSettlement(stack)];
    await addCharges(stack, [settled(one), settled(one)]);
    const { next_cursor } = (await stack.api.get(`/settlements/${one}/transactions?limit=1`)).json;
    for (const [query, fields] of [
      [`cursor=${next_cursor}`, ['cursor']],
      ['limit=101', ['limit']],
      ['status=settled', ['status']],
    ] as const) {
      expectRefused(
        await stack.api.get(`/settlements/${other}/transactions?${query}`),
        'validation_failed',
        fields,
      );
    }
  });

  describe('of an expected settlement', () => {
    async function addPayment(settlesOn: string | null, settlementId: string | null = null) {
      const { id, attempts } = await stored(stack, await newCharge(stack));
      const { id: attemptId, connection_id: connectionId } = attempts[0]!;
      const captureId = newId('cap', stack.clock());
      await stack.context.db.query(
        `insert into captures (id, charge_id, attempt_id, connection_id, provider_payment_id, status,
         amount_kobo, currency, channel, captured_at, recorded_at, settles_on, settlement_id)
       values ($1, $2, $3, $4, $1, 'applied', 100000, 'NGN', 'card', $5, $5, $6, $7)`,
        [captureId, id, attemptId, connectionId, stack.clock(), settlesOn, settlementId],
      );
      return { id: id as string, connectionId: connectionId as string };
    }

    async function addForecast(connectionId: string, day: string): Promise<string> {
      const id = await addSettlement(stack, { expectedDate: day });
      await stack.sql`update settlements set step = 'forecast', provider_settlement_id = null, connection_id = ${connectionId}
       where id = ${id}`;
      return id;
    }

    it('lists the charges it is expected to contain, newest first, page by page', async () => {
      const payments = [];
      for (let n = 0; n < 3; n++) payments.unshift(await addPayment('2026-03-05'));
      const { connectionId } = payments[0]!;
      await addPayment('2026-03-06');
      await addPayment(null);
      await addPayment('2026-03-05', await addSettlement(stack));
      const settlement = await addForecast(connectionId, '2026-03-05');
      const path = `/settlements/${settlement}/transactions`;
      const first = (await stack.api.get(`${path}?limit=2`)).json;
      const second = (await stack.api.get(`${path}?limit=2&cursor=${first.next_cursor}`)).json;
      expect([...first.data, ...second.data].map(({ id }) => id)).to.deep.equal(
        payments.map(({ id }) => id),
      );
      expect(second).not.to.have.property('next_cursor');
      expect(first.data[0]).to.deep.equal(
        (await stack.api.get(`/transactions/${payments[0]!.id}`)).json,
      );
      expect(first.data[0]).to.include({ settlement_id: null });
    });

    it('lists none of another connection that pays out on the same day', async () => {
      const { connectionId } = await addPayment('2026-04-01');
      const [other] = await stack.sql<{ id: string }>`select id from connections
      where tenant_id = ${stack.tenant.tenant_id} and mode = 'test'
      and id <> ${connectionId} limit 1`;
      const settlement = await addForecast(other!.id, '2026-04-01');
      expect(
        (await stack.api.get(`/settlements/${settlement}/transactions`)).json.data,
      ).to.deep.equal([]);
    });
  });
});
