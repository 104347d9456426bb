import { expect } from 'chai';
import { errorOf, onTheWire } from '../wire.ts';
import { account, api, initialize, options, order, reference } from './given.ts';

const good = {
  status: true,
  message: 'Authorization URL created',
  data: {
    authorization_url: 'https://checkout.paystack.com/3ni8kdavz62431k',
    access_code: '3ni8kdavz62431k',
    reference,
  },
};

describe('Paystack, asked to create a payment', () => {
  onTheWire();

  it('is told everything once, in kobo, and answers with the pay page, which has no end of its own', async () => {
    const sent: unknown[] = [];
    const anyBody = (body: unknown) => sent.push(body) > 0;
    api().post('/transaction/initialize', anyBody).reply(200, good);
    const payment = await account.create(order, options);
    expect(payment).to.deep.equal({
      url: 'https://checkout.paystack.com/3ni8kdavz62431k',
      linkExpiresInMs: null,
    });
    expect(sent[0]).to.deep.equal({
      ...{ email: 'ada@example.com', amount: 500_000, currency: 'NGN', reference },
      callback_url: 'https://pay.example/pay/ct_1?returned=1',
      metadata: {
        description: 'Two tickets',
        customer_name: 'Ada',
        customer_phone: '+2348012345678',
      },
    });
  });

  const meta = { nextStep: 'Try and create the Transaction or Charge with a new reference' };
  const duplicates: [form: string, body: object][] = [
    [
      'the newer',
      {
        status: false,
        message: 'Duplicate Transaction Reference',
        meta,
        type: 'validation_error',
        code: 'duplicate_reference',
      },
    ],
    ['the older', { status: false, message: 'Duplicate Transaction Reference' }],
    [
      'a renamed',
      { status: false, message: 'This reference was used', code: 'duplicate_reference' },
    ],
    ['a lower-case', { status: false, message: 'duplicate transaction reference' }],
  ];
  for (const [form, body] of duplicates) {
    it(`says that the reference was accepted before, in ${form} form`, async () => {
      initialize().reply(400, body);
      expect(await errorOf(account.create(order, options))).to.include({
        kind: 'duplicate',
        stage: 'create',
      });
    });
  }

  const refusals: [status: number, message: string, told: string][] = [
    [400, 'Invalid Amount Sent', 'Invalid Amount Sent'],
    [400, 'Transaction amount limit exceeded', 'Transaction amount limit exceeded'],
    [400, 'Invalid Email Address Passed', 'Invalid Email Address Passed'],
    [400, ' Integration has\nbeen deactivated\u0000 ', 'Integration has been deactivated'],
    [401, 'Invalid key', 'Paystack does not accept the secret key: Invalid key'],
    [403, 'IP address not allowed', 'IP address not allowed'],
    [404, 'Endpoint not found', 'Endpoint not found'],
    [422, 'Invalid state', 'Invalid state'],
  ];
  for (const [status, message, told] of refusals) {
    it(`refuses with ${status} ${JSON.stringify(message)}, told in plain words`, async () => {
      initialize().reply(status, { status: false, message });
      expect(await errorOf(account.create(order, options))).to.deep.equal({
        kind: 'refused',
        stage: 'create',
        message: told,
      });
    });
  }

  const unknown: [
    what: string,
    status: number,
    body: object | string,
    headers?: Record<string, string>,
  ][] = [
    ['200 and JSON that breaks off', 200, JSON.stringify(good).slice(0, -20)],
    ['success without data', 200, { status: true, message: 'ok' }],
    ['success without a link', 200, { status: true, message: 'ok', data: { reference } }],
    [
      'success with a link that is none',
      200,
      { ...good, data: { authorization_url: 'javascript:alert(1)' } },
    ],
    ['success under status 500', 500, good],
  ];
  for (const [what, status, body, headers] of unknown) {
    it(`may have made it, or not: ${what}`, async () => {
      initialize().reply(status, body as object, headers ?? {});
      expect(await errorOf(account.create(order, options))).to.include({
        kind: 'unknown',
        stage: 'create',
      });
    });
  }
});
