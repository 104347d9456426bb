import { expect } from 'chai';
import { newReference } from '../fixture.ts';
import { newFlutterwaveKey, openFlutterwave } from './fixture.ts';

const order = {
  tx_ref: 'SV-1-abcdefgh',
  amount: '7500',
  customer: { email: 'ada@example.com' },
  redirect_url: 'https://shop.example/',
};
const noTransaction = {
  status: 'error',
  message: 'No transaction was found for this id',
  data: null,
};

describe('sandbox: Flutterwave POST /payments', () => {
  it('answers a link and nothing else, and knows of no transaction until a customer tries to pay', async () => {
    await using fixture = await openFlutterwave();
    const reference = newReference();
    const { status, body } = await fixture.flutterwave('POST', '/payments', {
      ...order,
      tx_ref: reference,
    });
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'success', message: 'Hosted Link' });
    expect(body.data).to.have.all.keys('link');
    expect(body.data.link).to.match(
      new RegExp(`^${fixture.sandbox.url}/flutterwave/checkout/\\w+$`),
    );
    const verified = await fixture.flutterwave(
      'GET',
      `/transactions/verify_by_reference?tx_ref=${reference}`,
    );
    expect([verified.status, verified.body]).to.deep.equal([400, noTransaction]);
    expect(
      (await fixture.flutterwave('GET', `/transactions?tx_ref=${reference}`)).body.data,
    ).to.deep.equal([]);
    const [seen] = (await fixture.control('GET', `/payments?reference=${reference}`)).body.data;
    expect(seen).to.include({
      provider: 'flutterwave',
      status: 'open',
      requested_kobo: 750_000,
      checkout_url: body.data.link,
    });
  });

  for (const [fault, fields, message] of [
    ['no tx_ref', { tx_ref: undefined }, 'tx_ref is required'],
    ['no amount', { amount: undefined }, 'amount is required'],
    [
      'an amount of nothing',
      { amount: 0 },
      'amount must be a positive number of naira with two decimals at most',
    ],
    [
      'a negative amount',
      { amount: -5 },
      'amount must be a positive number of naira with two decimals at most',
    ],
    [
      'a fraction of a kobo',
      { amount: 1.005 },
      'amount must be a positive number of naira with two decimals at most',
    ],
    ['no e-mail', { customer: {} }, 'customer.email is required'],
    ['no customer', { customer: undefined }, 'customer.email is required'],
    ['no real e-mail', { customer: { email: 'ada' } }, 'customer.email must be a valid email'],
    ['nowhere to return to', { redirect_url: undefined }, 'redirect_url is required'],
    [
      'a return to no web address',
      { redirect_url: 'javascript:alert(1)' },
      'redirect_url must be a valid url',
    ],
    ['another currency', { currency: 'USD' }, 'currency is not supported by this merchant'],
    [
      'a longer session than a day',
      { configurations: { session_duration: 1441 } },
      'session_duration must be a number of minutes, 1440 at most',
    ],
  ] as const) {
    it(`refuses ${fault}`, async () => {
      await using fixture = await openFlutterwave();
      const { status, body } = await fixture.flutterwave('POST', '/payments', {
        ...order,
        ...fields,
      });
      expect([status, body]).to.deep.equal([400, { status: 'error', message, data: null }]);
    });
  }

  for (const [amount, kobo] of [
    [0.07, 7],
    ['1.1', 110],
    [1.15, 115],
    [4503599627370.49, 450_359_962_737_049],
    ['20000.00', 2_000_000],
  ] as const) {
    it(`reads ${JSON.stringify(amount)} naira as ${kobo} kobo and shows the same`, async () => {
      await using fixture = await openFlutterwave();
      const { reference } = await fixture.link({ amount });
      await fixture.control('POST', '/pay', { reference, outcome: 'success' });
      const [paid] = (await fixture.control('GET', `/payments?reference=${reference}`)).body.data;
      expect(paid).to.include({ requested_kobo: kobo, paid_kobo: kobo });
      expect((await fixture.verified(reference)).amount).to.equal(Number(amount));
    });
  }

  it('issues a second link for a tx_ref used before, and counts it as resent', async () => {
    await using fixture = await openFlutterwave();
    const first = await fixture.link();
    const second = await fixture.link({ tx_ref: first.reference });
    expect(second.url).not.to.equal(first.url);
    const { creates, distinct_references, resent_after_accept } = (
      await fixture.control('GET', '/stats')
    ).body.flutterwave;
    expect({ creates, distinct_references, resent_after_accept }).to.deep.equal({
      creates: 2,
      distinct_references: 1,
      resent_after_accept: 1,
    });
  });

  it('counts the later of two links for a tx_ref at the same time as resent', async () => {
    await using fixture = await openFlutterwave();
    const tx_ref = newReference();
    await Promise.all([1, 2].map(() => fixture.link({ tx_ref })));
    const { body } = await fixture.control('GET', '/stats');
    expect(body.flutterwave).to.include({ creates: 2, resent_after_accept: 1 });
  });

  it('takes the money of a link once when two pay at the same time', async () => {
    await using fixture = await openFlutterwave();
    const reference = await fixture.order();
    const replies = await Promise.all(
      [1, 2].map(() => fixture.control('POST', '/pay', { reference, outcome: 'success' })),
    );
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
  });

  it('ends a link after half an hour, or after the minutes it was asked for', async () => {
    await using fixture = await openFlutterwave();
    const short = await fixture.order();
    const long = await fixture.order({ configurations: { session_duration: 45 } });
    const other = await fixture.order({ configuration: { session_duration: '45' } });
    const pay = async (reference: string, outcome = 'success') =>
      (await fixture.control('POST', '/pay', { reference, outcome, notify: false })).status;
    await fixture.pass(29 * 60_000);
    expect(await pay(short, 'failed')).to.equal(200);
    await fixture.pass(60_000);
    expect([await pay(short), await pay(short, 'failed'), await pay(long)]).to.deep.equal([
      409, 409, 200,
    ]);
    await fixture.pass(15 * 60_000);
    expect(await pay(other)).to.equal(409);
    expect((await fixture.verified(short)).status).to.equal('failed');
  });

  it('disables a link once', async () => {
    await using fixture = await openFlutterwave();
    const { reference, url } = await fixture.link();
    const disable = (link: string, key?: string) =>
      fixture.flutterwave('POST', '/payments/link/disable', { link }, key);
    const otherKey = newFlutterwaveKey();
    await fixture.control('POST', '/accounts', {
      provider: 'flutterwave',
      secret_key: otherKey,
      secret_hash: 'x',
    });
    expect((await disable(url, otherKey)).status).to.equal(400);
    expect((await disable(url)).body.status).to.equal('success');
    expect((await disable(url)).body.message).to.equal('This payment link is currently inactive');
    expect(
      (await fixture.control('POST', '/pay', { reference, outcome: 'success' })).status,
    ).to.equal(409);
  });
});
