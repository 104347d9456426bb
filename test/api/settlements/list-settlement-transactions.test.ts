import { expect } from 'chai';
import { addCharges } from '../../support/charge-rows.ts';
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
});
