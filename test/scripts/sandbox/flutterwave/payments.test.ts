import { expect } from 'chai';
import { forEachTest } from '../../../support/for-each-test.ts';
import { newReference } from '../fixture.ts';
import type { Json } from '../json.ts';
import { type FlutterwaveFixture, newFlutterwaveKey, openFlutterwave } from './fixture.ts';

const order = {
  ...{ tx_ref: 'SV-1-abcdefgh', amount: '7500', customer: { email: 'ada@example.com' } },
  redirect_url: 'https://shop.example/',
};

const pay = (fixture: FlutterwaveFixture, reference: string, fields: object = {}) =>
  fixture.control('POST', '/pay', { reference, outcome: 'success', ...fields });
const list = async (fixture: FlutterwaveFixture, query: string) =>
  (await fixture.flutterwave('GET', `/transactions?${query}`)).body;

describe('sandbox: Flutterwave payments', () => {
  const fixture = forEachTest(openFlutterwave);

  it('refuses an order in its own words', async () => {
    const noAmount = 'amount must be a positive number of naira with two decimals at most';
    const noMinutes = 'session_duration must be a number of minutes, 1440 at most';
    const rows: [fields: object, message: string][] = [
      [{ tx_ref: undefined }, 'tx_ref is required'],
      [{ amount: undefined }, 'amount is required'],
      ...[0, -5, 1.005].map((amount): [object, string] => [{ amount }, noAmount]),
      [{ customer: {} }, 'customer.email is required'],
      [{ customer: undefined }, 'customer.email is required'],
      [{ customer: { email: 'ada' } }, 'customer.email must be a valid email'],
      [{ redirect_url: undefined }, 'redirect_url is required'],
      [{ redirect_url: 'javascript:alert(1)' }, 'redirect_url must be a valid url'],
      [{ currency: 'USD' }, 'currency is not supported by this merchant'],
      [{ configurations: { session_duration: 1441 } }, noMinutes],
    ];
    for (const [fields, message] of rows) {
      const sent = { ...order, ...fields };
      const { status, body } = await fixture.flutterwave('POST', '/payments', sent);
      expect([status, body]).to.deep.equal([400, { status: 'error', message, data: null }]);
    }
  });

  it('reads naira to the kobo and shows the same', async () => {
    for (const [amount, kobo] of [
      [0.07, 7],
      ['1.1', 110],
      [1.15, 115],
      [4503599627370.49, 450_359_962_737_049],
      ['20000.00', 2_000_000],
    ] as const) {
      const { reference } = await fixture.link({ amount });
      expect((await pay(fixture, reference)).body).to.include({ paid_kobo: kobo });
      expect((await fixture.verified(reference)).amount).to.equal(Number(amount));
    }
  });

  it('issues a second link for a tx_ref used before, and counts it as resent, also at the same time', async () => {
    const tx_ref = newReference();
    const [first, second] = await Promise.all([1, 2].map(() => fixture.link({ tx_ref })));
    expect(second!.url).not.to.equal(first!.url);
    expect((await fixture.control('GET', '/stats')).body.flutterwave).to.include({
      ...{ creates: 2, distinct_references: 1, resent_after_accept: 1 },
    });
  });

  it('ends a link after half an hour, or after the minutes it was asked for', async () => {
    const short = await fixture.order();
    const long = await fixture.order({ configurations: { session_duration: 45 } });
    const other = await fixture.order({ configuration: { session_duration: '45' } });
    const statusOf = async (reference: string, outcome = 'success') =>
      (await pay(fixture, reference, { outcome, notify: false })).status;
    await fixture.pass(29 * 60_000);
    expect(await statusOf(short, 'failed')).to.equal(200);
    await fixture.pass(60_000);
    const statuses = [await statusOf(short), await statusOf(short, 'failed'), await statusOf(long)];
    expect(statuses).to.deep.equal([409, 409, 200]);
    await fixture.pass(15 * 60_000);
    expect(await statusOf(other)).to.equal(409);
    expect((await fixture.verified(short)).status).to.equal('failed');
  });

  it('disables a link once', async () => {
    const { reference, url } = await fixture.link();
    const disable = (link: string, key?: string) =>
      fixture.flutterwave('POST', '/payments/link/disable', { link }, key);
    const secret_key = newFlutterwaveKey();
    const other = { provider: 'flutterwave', secret_key, secret_hash: 'x' };
    await fixture.control('POST', '/accounts', other);
    expect((await disable(url, secret_key)).status).to.equal(400);
    expect((await disable(url)).body.status).to.equal('success');
    expect((await disable(url)).body.message).to.equal('This payment link is currently inactive');
    expect((await pay(fixture, reference)).status).to.equal(409);
  });

  it('makes each try a transaction of its own under one tx_ref, and notifies each', async () => {
    const { reference } = await fixture.link({ meta: { order: '7' } });
    const ids: number[] = [];
    for (const outcome of ['failed', 'failed', 'success'])
      ids.unshift((await pay(fixture, reference, { outcome })).body.id);
    const tries = (await list(fixture, `tx_ref=${reference}`)).data;
    expect(tries.map((row: Json) => [row.id, row.status])).to.deep.equal([
      [String(ids[0]), 'successful'],
      [String(ids[1]), 'failed'],
      [String(ids[2]), 'failed'],
    ]);
    await fixture.sandbox.idle();
    const bodies = fixture.receiver.received.map(({ body }) => body as Json);
    expect(bodies.map(({ data }) => data.id)).to.have.members(ids);
    expect(bodies[0]).to.deep.include({
      ...{ event: 'charge.completed', 'event.type': 'CARD_TRANSACTION' },
      meta_data: { order: '7' },
    });
    expect(bodies[0].data).not.to.have.any.keys('amount_settled', 'meta');
  });

  it('shows a paid one in naira, with the fee, what is settled and who paid', async () => {
    const customer = { email: 'ada@example.com', name: 'Ada Obi', phonenumber: '08030000000' };
    const { reference } = await fixture.link({ amount: 2500, customer, meta: { order: '7' } });
    await fixture.pass(60_000);
    const { id } = (await pay(fixture, reference)).body;
    const { data } = (await fixture.flutterwave('GET', `/transactions/${id}/verify`)).body;
    expect(data).to.deep.include({
      ...{ id, tx_ref: reference, status: 'successful', currency: 'NGN', payment_type: 'card' },
      ...{ amount: 2500, charged_amount: 2500, app_fee: 35, merchant_fee: 0 },
      ...{ amount_settled: 2462.37, created_at: '2026-03-02T09:01:00.000Z' },
      ...{ account_id: fixture.accountId, meta: { order: '7' } },
    });
    expect(data.flw_ref).to.match(/^FLW-MOCK-[0-9a-f]{32}$/);
    expect(data.customer).to.include({ name: 'Ada Obi', phone_number: '08030000000' });
    expect(await fixture.verified(reference)).to.deep.equal(data);
  });

  it('lists newest first in pages of twenty flat rows, by day and status', async () => {
    const references: string[] = [];
    for (let n = 0; n < 21; n++) references.unshift(await fixture.sale(10_000, { notify: false }));
    const pages = [await list(fixture, ''), await list(fixture, 'page=2')];
    const rows = pages.flatMap(({ data }) => data);
    expect(rows.map((row: Json) => row.tx_ref)).to.deep.equal(references);
    expect(pages[1].meta.page_info).to.include({ total: 21, current_page: 2, total_pages: 2 });
    expect(rows[0].id).to.be.a('string');
    expect(rows[0]).to.include({ customer_email: 'ada@example.com', amount_settled: 98.49 });
    expect(rows[0]).not.to.have.property('customer');
    await fixture.sale(500_000, { outcome: 'failed' });
    for (const [query, count] of [
      ['from=2026-03-02&to=2026-03-02&page=2', 2],
      ['from=2026-03-03', 0],
      ['to=2026-03-01', 0],
      ['status=failed', 1],
      ['status=pending', 0],
      ['currency=USD', 0],
      [`tx_ref=${references[0]}&customer_email=ada@example.com`, 1],
    ] as const)
      expect((await list(fixture, query)).data, query).to.have.length(count);
  });
});
