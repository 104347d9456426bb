import { expect } from 'chai';
import { addCharges } from '../../support/charge-rows.ts';
import { openCharge } from '../../support/charges.ts';
import { useStack } from '../../support/stack.ts';

describe('GET /transactions', () => {
  const stack = useStack();

  it('answers the transaction objects of the ledger, newest first, paid or not', async () => {
    const paid = await openCharge(stack, { reference: 'order-1' });
    await stack.control.pay(paid.reference, { channel: 'ussd' });
    await stack.settle();
    const unpaid = await openCharge(stack, { reference: 'order-2' });
    const answer = await stack.api.get('/transactions');
    expect(answer.status).to.equal(200);
    expect(Object.keys(answer.json)).to.deep.equal(['data', 'tenant_id']);
    expect(answer.json.tenant_id).to.equal(stack.tenant.tenant_id);
    const one = async ({ reference }: { reference: string }) =>
      (await stack.api.get(`/transactions/${reference}`)).json;
    expect(answer.json.data).to.deep.equal([await one(unpaid), await one(paid)]);
  });

  it('shows 25 by default, and as many as requested; finds a customer by an address in any case', async () => {
    const tenant = await stack.newTenant();
    const emails = ['ada@example.com', 'Ada@Example.com', 'bola@example.com'];
    const likes = Array.from({ length: 120 }, (_, index) => ({ email: emails[index % 3]! }));
    const ids = await addCharges(stack, likes, tenant);
    const list = async (query: string): Promise<string[]> => {
      const { json } = await stack.api.get(`/transactions?${query}`, {
        key: tenant.secret_key_test,
      });
      return json.data.map(({ id }: { id: string }) => id);
    };
    for (const [query, count] of [
      ['', 25],
      ['limit=1', 1],
      ['limit=100', 100],
    ] as const)
      expect(await list(query)).to.have.length(count);
    const ada = ids.filter((_, index) => index % 3 < 2).reverse();
    for (const spelling of ['ada@example.com', 'ADA@EXAMPLE.COM', 'Ada@Example.com'])
      expect(await list(`limit=100&customer=${spelling}`), spelling).to.deep.equal(ada);
    expect(await list('customer=ad@example.com')).to.deep.equal([]);
  });
});
