import { expect } from 'chai';
import { newFlutterwaveKey, openFlutterwave } from './stage.ts';

describe("sandbox: Flutterwave's door", () => {
  it('answers Authorization required to a key it does not know, and to none', async () => {
    await using stage = await openFlutterwave();
    for (const key of [newFlutterwaveKey(), '']) {
      const { status, body } = await stage.flutterwave('GET', '/balances/NGN', undefined, key);
      expect([status, body]).to.deep.equal([
        401,
        { status: 'error', message: 'Authorization required', data: null },
      ]);
    }
  });

  it('answers an error with 503 in its words, and too many calls with 429', async () => {
    await using stage = await openFlutterwave();
    await stage.control('POST', '/faults', { provider: 'provider_b', error_rate: 1 });
    const broken = await stage.flutterwave('GET', '/transactions');
    expect([broken.status, broken.body]).to.deep.equal([
      503,
      { status: 'error', message: 'An error occurred. Please contact support', data: null },
    ]);
    await stage.control('POST', '/faults', { provider: 'flutterwave', rate_limit_rate: 1 });
    expect((await stage.flutterwave('GET', '/transactions')).status).to.equal(429);
    expect((await stage.provider('GET', '/../paystack/balance')).status).to.equal(401);
  });

  it('answers nonsense in its own shape, without a stack trace', async () => {
    await using stage = await openFlutterwave();
    const replies = [
      await stage.flutterwave('GET', '/nowhere'),
      await stage.flutterwave('POST', '/payments', '{"tx_ref":'),
      await stage.flutterwave('POST', '/payments', '[]'),
      await stage.flutterwave('POST', '/payments', {
        tx_ref: 'a\0b',
        amount: 1,
        customer: { email: 'a@b.ng' },
        redirect_url: 'https://a.b',
      }),
      await stage.flutterwave('POST', '/payments', { tx_ref: { a: 1 }, amount: {}, customer: 'x' }),
      await stage.flutterwave('POST', '/payments/link/disable', {
        link: `${stage.sandbox.url}/flutterwave/checkout/a\0b`,
      }),
      await stage.flutterwave('GET', '/transactions/verify_by_reference'),
      await stage.flutterwave('GET', '/transactions?tx_ref[a]=1&page=2'),
    ];
    expect(replies.map(({ status }) => status)).to.deep.equal([
      404, 400, 400, 400, 400, 400, 400, 200,
    ]);
    for (const { body } of replies.slice(0, -1))
      expect(body).to.include({ status: 'error', data: null });
    for (const { body } of replies)
      expect(JSON.stringify(body)).not.to.match(/\.ts\b|node_modules|\\n +at /);
  });

  it('shows what was not paid out yet, to those who hold the key', async () => {
    await using stage = await openFlutterwave();
    await stage.sale(250_000);
    const wallet = { currency: 'NGN', available_balance: 0, ledger_balance: 2462.37 };
    expect((await stage.flutterwave('GET', '/balances')).body.data).to.deep.equal([wallet]);
    expect((await stage.flutterwave('GET', '/balances/NGN')).body.data).to.deep.equal(wallet);
    expect((await stage.flutterwave('GET', '/balances/USD')).status).to.equal(400);
  });
});
