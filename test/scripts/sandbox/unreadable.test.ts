import { expect } from 'chai';
import { newKeys, openFixture, type ProviderName } from './fixture.ts';

describe('sandbox: what a provider cannot read or does not know', () => {
  const large = 'x'.repeat(2_000_000);
  const create = '/transaction/initialize';
  const init = '/api/v1/merchant/transactions/init-transaction';
  const query = '/api/v2/merchant/transactions/query';
  type Call = [status: number, method: string, path: string, body?: unknown];
  const calls: Record<ProviderName, [unknownKey: object, shape: object, calls: Call[]]> = {
    paystack: [
      { status: false, message: 'Invalid key' },
      { status: false },
      [
        ...['/nowhere', '/refund/1', '/dispute/1', '/settlement/1/transactions'].map(
          (path): Call => [404, 'GET', path],
        ),
        [404, 'PUT', '/transaction'],
        [404, 'GET', '/transaction/99999999999999999999'],
        [400, 'GET', '/transaction?from=yesterday'],
        ...['{"email":', '"text"', '[]'].map((body): Call => [400, 'POST', create, body]),
        [413, 'POST', create, { email: large }],
        [400, 'POST', create, { email: 'a\0@b.ng', amount: 5000, reference: 'a\0b' }],
        ...['/verify/%zz', '/verify/%00', '/verify/', '?status=%00'].map(
          (path): Call => [400, 'GET', `/transaction${path}`],
        ),
        [404, 'POST', '/refund', { transaction: 'a\0b', merchant_note: '\0' }],
      ],
    ],
    flutterwave: [
      { status: 'error', message: 'Authorization required', data: null },
      { status: 'error', data: null },
      [
        [404, 'GET', '/nowhere'],
        ...['{"tx_ref":', '[]', { tx_ref: { a: 1 }, amount: {}, customer: 'x' }].map(
          (body): Call => [400, 'POST', '/payments', body],
        ),
        [400, 'POST', '/payments/link/disable', { link: 'http://a\0b' }],
        [400, 'GET', '/transactions/verify_by_reference'],
        ...['page=x', 'page=0', 'from=yesterday'].map(
          (filter): Call => [400, 'GET', `/transactions?${filter}`],
        ),
      ],
    ],
    monnify: [
      { requestSuccessful: false, responseMessage: 'Cannot convert access token to json' },
      { requestSuccessful: false },
      [
        [400, 'POST', init, '{"amount":'],
        [413, 'POST', init, { customerName: large }],
        [400, 'GET', query],
        [404, 'GET', `${query}?paymentReference=nosuch`],
        ...['/nowhere', '/disputes', '/refunds/nosuch', '/refunds/MNFYRFD3018284'].map(
          (path): Call => [404, 'GET', `/api/v1${path}`],
        ),
        [400, 'GET', '/api/v2/transactions/MNFY|1|2|3'],
        [400, 'GET', `${query}?transactionReference=MNFY|1|2|3`],
        ...['page=-1', 'size=0', 'amount=all', 'from=yesterday', 'toAmount=1.001'].map(
          (filter): Call => [400, 'GET', `/api/v1/transactions/search?${filter}`],
        ),
        ...['refundStatus=some', 'from=today'].map(
          (filter): Call => [400, 'GET', `/api/v1/refunds?${filter}`],
        ),
      ],
    ],
  };
  for (const [provider, [unknownKey, shape, rows]] of Object.entries(calls))
    it(`is answered by ${provider} in its own shape`, async () => {
      await using fixture = await openFixture({ provider: provider as ProviderName });
      const anywhere = { paystack: '/balance', flutterwave: '/balances/NGN' }[provider] ?? query;
      const unknown = newKeys(provider as ProviderName).secret_key;
      const { status, body } = await fixture.call('GET', anywhere, undefined, unknown);
      expect(status).to.equal(401);
      expect(body).to.include(unknownKey);
      for (const [expected, method, path, sent] of rows) {
        const reply = await fixture.call(method, path, sent);
        expect(reply.status, `${method} ${path}`).to.equal(expected);
        expect(reply.body).to.include(shape);
        expect(JSON.stringify(reply.body)).not.to.match(/\.ts\b|node_modules|\\n +at /);
      }
    });
});
