import { expect } from 'chai';
import type { PaymentOrder } from '../../../../domain/providers/provider.ts';
import { errorOf, useNock } from '../calls.ts';
import { account, api, bad, good, options, order, paymentsCall, reference } from './examples.ts';

const link = 'https://checkout.flutterwave.com/v3/hosted/pay/flwlnk-01hynrt7cd1fpm6gtef6khn93g';
const hosted = good({ link }, 'Hosted Link');
const errorAs = (status: number, body: object | string, headers: Record<string, string> = {}) => {
  paymentsCall().reply(status, body as object, headers);
  return errorOf(account.create(order, options));
};

/** What is sent for an order. */
async function sentFor(overrides: Partial<PaymentOrder>): Promise<Record<string, unknown>> {
  const sent: Record<string, unknown>[] = [];
  api()
    .post('/payments', (body) => sent.push(body) > 0)
    .reply(200, hosted);
  await account.create({ ...order, ...overrides }, options);
  return sent[0]!;
}

describe('Flutterwave, asked to create a payment', () => {
  useNock();

  it('is told everything once, and answers with the pay page', async () => {
    expect(await sentFor({})).to.deep.equal({
      ...{
        tx_ref: reference,
        amount: 5000.5,
        currency: 'NGN',
        redirect_url: 'https://pay.example/pay/ct_1?returned=1',
      },
      customer: { email: 'ada@example.com', name: 'Ada', phonenumber: '+2348012345678' },
      customizations: { description: 'Two tickets' },
      meta: { reference },
      configurations: { session_duration: 90 },
    });
  });

  const amounts: [amountKobo: number, digits: RegExp][] = [
    [500_050, /"amount":5000\.50,/],
    [10_000, /"amount":100\.00,/],
    [1, /"amount":0\.01,/],
    [9_007_199_254_740_991, /"amount":90071992547409\.91,/],
  ];
  for (const [amountKobo, digits] of amounts) {
    it(`is told ${amountKobo} kobo as naira, a number with all its digits`, async () => {
      api().post('/payments', digits).reply(200, hosted);
      await account.create({ ...order, amountKobo }, options);
    });
  }

  it('is not told what nobody knows', async () => {
    const { customer, customizations } = await sentFor({
      name: null,
      phone: null,
      description: null,
    });
    expect({ customer, customizations }).to.deep.equal({
      customer: { email: 'ada@example.com' },
      customizations: {},
    });
  });

  const lives: [what: string, expiresInMs: number, minutes: number][] = [
    ['whole minutes, never longer than the charge', 119_999, 1],
    ['a minute at least', 5_000, 1],
    ['a minute where the charge has just ended', -5_000, 1],
    ['a day at most', 30 * 24 * 3_600_000, 1440],
    ['a whole day', 24 * 3_600_000, 1440],
  ];
  for (const [what, expiresInMs, minutes] of lives) {
    it(`keeps its link for ${what}`, async () => {
      api()
        .post('/payments', ({ configurations }) => configurations.session_duration === minutes)
        .reply(200, hosted);
      expect(await account.create({ ...order, expiresInMs }, options)).to.deep.equal({
        url: link,
        linkExpiresInMs: minutes * 60_000,
      });
    });
  }

  it('is not relied on to refuse a reference that comes again', () => {
    expect(account.capabilities.rejectsDuplicateReferences).to.equal(false);
  });

  for (const message of [
    'Transaction reference has been used before',
    'transaction reference already exists',
    'Duplicate tx_ref',
    'tx_ref has been used',
  ]) {
    it(`says that the reference was accepted before: ${message}`, async () => {
      expect((await errorAs(400, bad(message))).kind).to.equal('duplicate');
    });
  }

  const refusals: [status: number, body: object, told: string][] = [
    [400, bad('tx_ref is required'), 'Tx_ref is required'],
    [400, bad(' Invalid\ncurrency\u0000 '), 'Invalid currency'],
    [
      400,
      { ...bad('Validation error'), errors: [{ field: 'amount', message: 'amount is too small' }] },
      'Validation error: amount is too small',
    ],
    [
      400,
      { ...bad('amount is too small'), errors: [{ message: 'amount is too small' }, 7] },
      'Amount is too small',
    ],
    [400, { ...bad('Validation error'), errors: [null] }, 'Validation error'],
    [
      401,
      bad('Authorization required'),
      'Flutterwave does not accept the secret key: Authorization required',
    ],
    [403, bad('IP address not allowed'), 'IP address not allowed'],
    [404, bad('Resource not found'), 'Resource not found'],
  ];
  for (const [status, body, message] of refusals) {
    it(`refuses with ${status}: ${message}`, async () => {
      expect(await errorAs(status, body)).to.deep.equal({
        kind: 'refused',
        stage: 'create',
        message,
      });
    });
  }

  const unknown: [
    what: string,
    status: number,
    body: object | string,
    headers?: Record<string, string>,
  ][] = [
    ['a 500 that sounds like a duplicate', 500, bad('Transaction reference has been used before')],
    ['a 400 of another status', 400, { status: false, message: 'Bad request' }],
    ['200 and JSON that breaks off', 200, JSON.stringify(hosted).slice(0, -20)],
    ['success without data', 200, good(null)],
    ['success without a link', 200, good({})],
    ['success with a link that is none', 200, good({ link: 'javascript:alert(1)' })],
    ['success with half a link', 200, good({ link: 'https://' })],
    ['success under status 500', 500, hosted],
  ];
  for (const [what, status, body, headers] of unknown) {
    it(`may have made it, or not: ${what}`, async () => {
      expect(await errorAs(status, body, headers)).to.include({ kind: 'unknown', stage: 'create' });
    });
  }
});
