import { expect } from 'chai';
import { newSecretKey, openFixture, type Reply } from './fixture.ts';
import { newFlutterwaveKey, openFlutterwave } from './flutterwave/fixture.ts';
import { openMonnify } from './monnify/monnify-fixture.ts';

type Call = [method: string, path: string, body?: unknown];

async function expectStatuses(
  send: (...call: Call) => Promise<Reply>,
  shape: object,
  calls: [status: number, ...call: Call][],
): Promise<void> {
  for (const [expected, ...call] of calls) {
    const { status, body } = await send(...call);
    expect(status, `${call[0]} ${call[1]}`).to.equal(expected);
    expect(body).to.include(shape);
    expect(JSON.stringify(body)).not.to.match(/\.ts\b|node_modules|\\n +at /);
  }
}

const large = 'x'.repeat(2_000_000);

describe('sandbox: what a provider cannot read or does not know', () => {
  it('is answered by Paystack in its own shape', async () => {
    await using fixture = await openFixture();
    for (const key of [newSecretKey(), '']) {
      const { status, body } = await fixture.paystack('GET', '/balance', undefined, key);
      expect([status, body]).to.deep.equal([401, { status: false, message: 'Invalid key' }]);
    }
    const create = '/transaction/initialize';
    await expectStatuses(fixture.paystack, { status: false }, [
      [404, 'GET', '/nowhere'],
      [404, 'PUT', '/transaction'],
      [404, 'GET', '/refund/1'],
      [404, 'GET', '/dispute/1'],
      [404, 'GET', '/settlement/1/transactions'],
      [404, 'GET', '/transaction/99999999999999999999'],
      [400, 'GET', '/transaction?from=yesterday'],
      [400, 'POST', create, '{"email":'],
      [400, 'POST', create, '"text"'],
      [400, 'POST', create, '[]'],
      [413, 'POST', create, { email: large }],
      [400, 'POST', create, { email: 'a\0@b.ng', amount: 5000, reference: 'a\0b' }],
      [400, 'GET', '/transaction/verify/%zz'],
      [400, 'GET', '/transaction/verify/%00'],
      [400, 'GET', '/transaction?status=%00'],
      [404, 'POST', '/refund', { transaction: 'a\0b', merchant_note: '\0' }],
    ]);
    const unnamed = await fixture.paystack('GET', '/transaction/verify/');
    expect(unnamed.status).to.equal(400);
    expect(unnamed.body.message).to.equal('Transaction ID should be numeric.');
  });

  it('is answered by Flutterwave in its own shape, errors with 503 and too many calls with 429', async () => {
    await using fixture = await openFlutterwave();
    for (const key of [newFlutterwaveKey(), '']) {
      const { status, body } = await fixture.flutterwave('GET', '/balances/NGN', undefined, key);
      const unauthorized = { status: 'error', message: 'Authorization required', data: null };
      expect([status, body]).to.deep.equal([401, unauthorized]);
    }
    const customer = { email: 'a@b.ng' };
    await expectStatuses(fixture.flutterwave, { status: 'error', data: null }, [
      [404, 'GET', '/nowhere'],
      [400, 'POST', '/payments', '{"tx_ref":'],
      [400, 'POST', '/payments', '[]'],
      [
        400,
        'POST',
        '/payments',
        { tx_ref: 'a\0b', amount: 1, customer, redirect_url: 'https://a.b' },
      ],
      [400, 'POST', '/payments', { tx_ref: { a: 1 }, amount: {}, customer: 'x' }],
      [400, 'POST', '/payments/link/disable', { link: `${fixture.sandbox.url}/a\0b` }],
      [400, 'GET', '/transactions/verify_by_reference'],
      ...['page=x', 'page=0', 'from=yesterday'].map((query): [number, ...Call] => [
        400,
        'GET',
        `/transactions?${query}`,
      ]),
    ]);
    await fixture.control('POST', '/faults', { provider: 'provider_b', error_rate: 1 });
    const broken = await fixture.flutterwave('GET', '/transactions');
    const message = 'An error occurred. Please contact support';
    expect([broken.status, broken.body]).to.deep.equal([
      ...[503, { status: 'error', message, data: null }],
    ]);
    await fixture.control('POST', '/faults', { provider: 'flutterwave', rate_limit_rate: 1 });
    expect((await fixture.flutterwave('GET', '/transactions')).status).to.equal(429);
    expect((await fixture.provider('GET', '/../paystack/balance')).status).to.equal(401);
  });

  it('is answered by Monnify in its own shape, and a payment by its strokes only where they are encoded', async () => {
    await using fixture = await openMonnify();
    const init = '/api/v1/merchant/transactions/init-transaction';
    const { paymentReference, transactionReference } = await fixture.pay();
    const query = '/api/v2/merchant/transactions/query';
    const search = '/api/v1/transactions/search';
    await expectStatuses(fixture.monnify, { requestSuccessful: false }, [
      [400, 'POST', init, '{"amount":'],
      [413, 'POST', init, { customerName: large }],
      [400, 'GET', query],
      [404, 'GET', `${query}?paymentReference=nosuch`],
      [404, 'GET', '/api/v1/nowhere'],
      [404, 'GET', '/api/v1/disputes'],
      [400, 'GET', `/api/v2/transactions/${transactionReference}`],
      [400, 'GET', `${query}?transactionReference=${transactionReference}`],
      ...['page=-1', 'size=0', 'amount=all', 'from=yesterday', 'toAmount=1.001'].map(
        (filter): [number, ...Call] => [400, 'GET', `${search}?${filter}`],
      ),
    ]);
    const shown = await fixture.query(paymentReference);
    const encoded = encodeURIComponent(transactionReference);
    for (const path of ['/api/v2/transactions/', `${query}?transactionReference=`])
      expect((await fixture.monnify('GET', path + encoded)).body.responseBody).to.deep.equal(shown);
  });
});
