import { expect } from 'chai';
import { newFlutterwaveKey, openFlutterwave } from './fixture.ts';

describe("sandbox: Flutterwave's routes", () => {
  it('answers Authorization required to a key it does not know, and to none', async () => {
    await using fixture = await openFlutterwave();
    for (const key of [newFlutterwaveKey(), '']) {
      const { status, body } = await fixture.flutterwave('GET', '/balances/NGN', undefined, key);
      expect([status, body]).to.deep.equal([
        401,
        { status: 'error', message: 'Authorization required', data: null },
      ]);
    }
  });

  it('answers an error with 503 in its words, and too many calls with 429', async () => {
    await using fixture = await openFlutterwave();
    await fixture.control('POST', '/faults', { provider: 'provider_b', error_rate: 1 });
    const broken = await fixture.flutterwave('GET', '/transactions');
    expect([broken.status, broken.body]).to.deep.equal([
      503,
      { status: 'error', message: 'An error occurred. Please contact support', data: null },
    ]);
    await fixture.control('POST', '/faults', { provider: 'flutterwave', rate_limit_rate: 1 });
    expect((await fixture.flutterwave('GET', '/transactions')).status).to.equal(429);
    expect((await fixture.provider('GET', '/../paystack/balance')).status).to.equal(401);
  });

  it('answers nonsense in its own shape, without a stack trace', async () => {
    await using fixture = await openFlutterwave();
    const replies = [
      await fixture.flutterwave('GET', '/nowhere'),
      await fixture.flutterwave('POST', '/payments', '{"tx_ref":'),
      await fixture.flutterwave('POST', '/payments', '[]'),
      await fixture.flutterwave('POST', '/payments', {
        tx_ref: 'a\0b',
        amount: 1,
        customer: { email: 'a@b.ng' },
        redirect_url: 'https://a.b',
      }),
      await fixture.flutterwave('POST', '/payments', {
        tx_ref: { a: 1 },
        amount: {},
        customer: 'x',
      }),
      await fixture.flutterwave('POST', '/payments/link/disable', {
        link: `${fixture.sandbox.url}/flutterwave/checkout/a\0b`,
      }),
      await fixture.flutterwave('GET', '/transactions/verify_by_reference'),
      await fixture.flutterwave('GET', '/transactions?tx_ref[a]=1&page=2'),
    ];
    expect(replies.map(({ status }) => status)).to.deep.equal([
      404, 400, 400, 400, 400, 400, 400, 200,
    ]);
    for (const { body } of replies.slice(0, -1))
      expect(body).to.include({ status: 'error', data: null });
    for (const { body } of replies)
      expect(JSON.stringify(body)).not.to.match(/\.ts\b|node_modules|\\n +at /);
  });
});
