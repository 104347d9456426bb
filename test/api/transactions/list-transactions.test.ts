import { expect } from 'chai';
import { chargeStatuses } from '../../../domain/payments/entities/charge.ts';
import { channels } from '../../../domain/providers/port/payment.ts';
import { slots } from '../../../domain/shared/slot.ts';
import { addCharges, type ChargeLike } from '../../support/charge-rows.ts';
import { openCharge } from '../../support/charges.ts';
import { type TestTenant, useStack } from '../../support/stack.ts';

describe('GET /transactions', () => {
  const stack = useStack();

  /** The ids on every page of a list, in order. */
  async function walk(
    query: string,
    { key, limit = 100 }: { key?: string; limit?: number } = {},
  ): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { status, json, text } = await stack.api.get(
        `/transactions?limit=${limit}${query}${cursor}`,
        key === undefined ? {} : { key },
      );
      expect(status, text).to.equal(200);
      ids.push(...json.data.map(({ id }: { id: string }) => id));
      if (json.next_cursor === undefined) return ids;
      expect(json.data).to.have.length(limit);
      cursor = `&cursor=${json.next_cursor}`;
    }
  }

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

  describe('of many', () => {
    let tenant: TestTenant;
    let likes: Required<Pick<ChargeLike, 'status' | 'slot' | 'channel' | 'email'>>[];
    let ids: string[];
    const emails = ['ada@example.com', 'Ada@Example.com', 'bola@example.com'];
    before(async () => {
      tenant = await stack.newTenant();
      const all = chargeStatuses.flatMap((status) =>
        slots.flatMap((slot) =>
          [...channels, null].map((channel) => ({
            status,
            slot,
            channel: channel as string | null,
          })),
        ),
      );
      likes = all.map((like, index) => ({ ...like, email: emails[(index * 7) % 3]! }));
      ids = await addCharges(stack, likes, tenant);
    });

    /** The charges with these fields, newest first. */
    const expected = (wanted: Partial<ChargeLike>) =>
      ids
        .filter((_, index) =>
          Object.entries(wanted).every(
            ([name, value]) =>
              String(
                likes[index]![name as keyof ChargeLike & keyof (typeof likes)[0]],
              ).toLowerCase() === value,
          ),
        )
        .sort()
        .reverse();

    const list = (query: string, limit?: number) =>
      walk(query, { key: tenant.secret_key_test, ...(limit && { limit }) });

    it('shows 25 by default, and as many as requested', async () => {
      const get = async (path: string) =>
        (await stack.api.get(path, { key: tenant.secret_key_test })).json;
      expect((await get('/transactions')).data).to.have.length(25);
      expect((await get('/transactions?limit=1')).data).to.have.length(1);
      expect((await get('/transactions?limit=100')).data).to.have.length(100);
    });

    it('finds a customer by e-mail address in any case, alone and with other filters, page by page', async () => {
      const ada = expected({ email: 'ada@example.com' });
      expect(ada.length).to.be.greaterThan(90);
      for (const spelling of ['ada@example.com', 'ADA@EXAMPLE.COM', 'Ada@Example.com']) {
        expect(await list(`&customer=${encodeURIComponent(spelling)}`, 7), spelling).to.deep.equal(
          ada,
        );
      }
      expect(await list('&customer=ada@example.com&status=settled', 3)).to.deep.equal(
        expected({ email: 'ada@example.com', status: 'settled' }),
      );
      expect(await list('&customer=ad@example.com')).to.deep.equal([]);
      expect(
        await list('&customer=ada@example.com&channel=card&provider=provider_a', 2),
      ).to.deep.equal(expected({ email: 'ada@example.com', channel: 'card', slot: 'provider_a' }));
    });
  });
});
