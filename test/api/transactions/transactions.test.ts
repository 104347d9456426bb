import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { addCharges, type ChargeLike } from '../../support/charge-rows.ts';
import { newCharge, openCharge, stored } from '../../support/charges.ts';
import { DAY, HOUR } from '../../support/clock.ts';
import { expectRefused } from '../../support/contract.ts';
import { insertRow } from '../../support/insert-row.ts';
import { useStack } from '../../support/stack.ts';

const FIELDS = [
  ...['object', 'id', 'reference', 'merchant_reference', 'type', 'status', 'provider'],
  ...['provider_reference', 'amount_kobo', 'fee_kobo', 'net_kobo', 'refunded_kobo', 'currency'],
  ...['channel', 'customer', 'failure_message', 'occurred_at', 'settled_at', 'settlement_id'],
  ...['recovered', 'metadata', 'mode'],
];

describe('Transactions', () => {
  const stack = useStack({ newTenants: true });

  const read = (name: string) => stack.api.get(`/transactions/${name}`);
  const list = async (query = ''): Promise<Record<string, any>[]> =>
    (await stack.api.get(`/transactions?${query}`)).json.data;
  const idsOf = async (query: string) => (await list(query)).map(({ id }) => id);
  const paidCharge = async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { channel: 'ussd' });
    await stack.settle();
    return charge;
  };

  it('have every field from creation on, null until it is known', async () => {
    const sent = { metadata: { cart: 'b', n: 1 } };
    const { reference } = await newCharge(stack, { reference: 'order-7', ...sent });
    const { status, json } = await read(reference);
    expect([status, Object.keys(json)]).to.deep.equal([200, FIELDS]);
    expect(json.status, 'workers may be quick').to.be.oneOf(['initiated', 'pending']);
    expect(json).to.deep.include({
      ...{ object: 'transaction', type: 'charge', fee_kobo: 0, net_kobo: 100_000, ...sent },
      ...{ merchant_reference: 'order-7', channel: null, settled_at: null },
    });
  });

  it('are read by id and by reference, and in their paid charge', async () => {
    const { reference } = await paidCharge();
    const byReference = await read(reference);
    const byId = await read(byReference.json.id);
    expect(byId.text).to.equal(byReference.text);
    expect(byId.json).to.include({ status: 'succeeded', channel: 'ussd' });
    const charge = (await stack.api.get(`/charges/${reference}`)).json;
    expect(charge.transaction).to.deep.equal(byId.json);
  });

  it('name the ids to use when they are read by another id', async () => {
    const { id, number } = await stored(stack, await newCharge(stack));
    const checkoutId = id.replace('txn_', 'ct_');
    const wrong = [newId('txn', new Date()), checkoutId, `${number}`, `${id}%00`, id.toUpperCase()];
    for (const name of wrong) expectRefused(await read(name), 'not_found');
    expect((await read(checkoutId)).json.error.message).to.include(
      'by its txn_ id or by its service reference, like SV-100001',
    );
    expect((await read('SV-1')).json.error.message).to.equal(
      'There is no such transaction in this mode. A live transaction read with a test key is not found.',
    );
  });

  it('are listed newest first, paid or not, each as it is read', async () => {
    const [paid, unpaid] = [await paidCharge(), await openCharge(stack)];
    const expected = [(await read(unpaid.reference)).json, (await read(paid.reference)).json];
    expect(await list()).to.deep.equal(expected);
  });

  it('are 25 by default, and as many as requested; of a customer by an address in any case', async () => {
    const emails = ['ada@example.com', 'Ada@Example.com', 'bola@example.com'];
    const likes = Array.from({ length: 120 }, (_, index) => ({ email: emails[index % 3]! }));
    const ids = await addCharges(stack, likes);
    for (const [query, count] of Object.entries({ '': 25, 'limit=1': 1, 'limit=100': 100 }))
      expect(await list(query)).to.have.length(count);
    const ada = ids.filter((_, index) => index % 3 < 2).reverse();
    for (const spelling of ['ada@example.com', 'ADA@EXAMPLE.COM', 'Ada@Example.com'])
      expect(await idsOf(`limit=100&customer=${spelling}`), spelling).to.deep.equal(ada);
    expect(await list('customer=ad@example.com')).to.deep.equal([]);
  });

  it('are found by what a payer, a bank or a provider names, alone and together', async () => {
    const paid = await paidCharge();
    const { id } = await stored(stack, paid);
    const [settlementId, link] = [newId('stl', stack.clock()), newId('lnk', stack.clock())];
    const { provider_reference: atProvider } = (await read(paid.reference)).json;
    const phone = '+2348031234567';
    const [own, other] = await addCharges(stack, [
      {
        ...{ phone, amountKobo: 123_400, merchantReference: 'order 7', settlementId },
        channel: 'qr',
      },
      { phone, status: 'failed', createdAt: new Date(stack.clock().getTime() + 1) },
    ]);
    await insertRow(stack, 'payment_links', {
      ...{ id: link, tenant_id: stack.tenant.tenant_id, mode: 'test', amount_kobo: 123_400 },
      ...{ description: 'A link', provider_wanted: 'auto', status: 'active', created_by: 'key' },
      ...{ created_at: stack.clock(), expires_at: stack.clock() },
    });
    await stack.sql`update charges set payment_link_id = ${link} where id = ${own}`;
    const expected: [query: Record<string, string>, ids: unknown[]][] = [
      [{ provider_reference: atProvider }, [id]],
      [{ provider_reference: atProvider, status: 'failed' }, []],
      [{ customer: phone }, [other, own]],
      [{ customer: '0803 123-4567', status: 'failed' }, [other]],
      [{ customer: phone, amount_kobo: '123400' }, [own]],
      [{ amount_kobo: '123400', settlement_id: settlementId }, [own]],
      [{ merchant_reference: 'order 7', channel: 'qr' }, [own]],
      [{ merchant_reference: 'order 7', channel: 'card' }, []],
      [{ settlement_id: settlementId, from: '2000-01-01' }, [own]],
      [{ payment_link: link }, [own]],
      [{ payment_link: link, to: '2000-01-01' }, []],
    ];
    for (const [query, ids] of expected)
      expect(await idsOf(`${new URLSearchParams(query)}`), JSON.stringify(query)).to.have.members(
        ids,
      );
    expect(await idsOf('status=failed&status=succeeded&channel=ussd')).to.deep.equal([id]);
    const wrong = await stack.api.get('/transactions?status=failed&status=paid&amount_kobo=0');
    expectRefused(wrong, 'validation_failed', ['status', 'amount_kobo']);
  });

  it('are of the day they were paid in the business’s time zone, not of the day they were created', async () => {
    await stack.sql`update tenants set time_zone = 'Africa/Lagos'
      where id = ${stack.tenant.tenant_id}`;
    const paid = (createdAt: string, occurredAt: string): ChargeLike => {
      const [created, occurred] = [`2026-${createdAt}Z`, `2026-${occurredAt}Z`];
      return { status: 'succeeded', channel: 'card', createdAt: created, occurredAt: occurred };
    };
    const likes: Record<string, ChargeLike> = {
      'long before': paid('02-20T10:00:00', '03-01T10:00:00'),
      'a moment before': paid('02-28T22:59:59.999', '02-28T23:00:00.000'),
      'paid the same day': paid('02-28T22:59:00', '02-28T22:59:59.999'),
      'unpaid the day before': { createdAt: '2026-02-28T22:58:00Z' },
      'of the day': paid('03-01T09:00:00', '03-01T09:05:00'),
      'paid the day after': paid('03-01T22:00:00', '03-01T23:00:00.000'),
      'over all of the day': paid('02-28T12:00:00', '03-03T12:00:00'),
    };
    const ids = await addCharges(stack, Object.values(likes));
    const on = async (query: string) =>
      (await idsOf(query)).map((id) => Object.keys(likes)[ids.indexOf(id)]);
    const before = ['paid the same day', 'unpaid the day before'];
    const expected: Record<string, string[]> = {
      'from=2026-03-01&to=2026-03-01': ['of the day', 'a moment before', 'long before'],
      'from=2026-02-28&to=2026-02-28': before,
      'from=2026-03-01': [
        ...['paid the day after', 'of the day', 'a moment before', 'over all of the day'],
        'long before',
      ],
      'to=2026-02-28': before,
      'from=2026-03-02&to=2026-03-02': ['paid the day after'],
      'from=2026-03-03': ['over all of the day'],
    };
    for (const [query, names] of Object.entries(expected))
      expect(await on(query), query).to.deep.equal(names);
  });

  it('are paid at the provider’s time', async () => {
    const charge = await openCharge(stack);
    stack.clock.advance(2 * DAY);
    await stack.control.pay(charge.reference);
    await stack.settle();
    const { id, created_at, occurred_at } = await stored(stack, charge);
    expect(occurred_at.getTime() - created_at.getTime()).to.be.greaterThan(DAY);
    const dayOf = (instant: Date) => new Date(instant.getTime() + HOUR).toISOString().slice(0, 10);
    expect(await idsOf(`from=${dayOf(occurred_at)}`)).to.deep.equal([id]);
    expect(await idsOf(`to=${dayOf(created_at)}`)).to.deep.equal([]);
  });

  it('are created in the millisecond of their ids, on which their order relies', async () => {
    const { id, created_at } = await stored(stack, await newCharge(stack));
    const msecs = [...id.slice(4, 14)].reduce(
      (ms: number, digit: string) => ms * 32 + '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit),
      0,
    );
    expect(new Date(msecs)).to.deep.equal(created_at);
    await stack.settle();
  });
});
