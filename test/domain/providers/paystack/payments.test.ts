import { expect } from 'chai';
import { errorOf, type Reply } from '../calls.ts';
import { order } from '../examples.ts';
import { accountAt, good, listed, options, reference, transaction } from './examples.ts';

const span = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') };

describe('Creating a payment at Paystack', () => {
  const url = 'https://checkout.paystack.com/3ni8kdavz62431k';
  const created = good({ authorization_url: url, access_code: '3ni8kdavz62431k', reference });

  it('sends the order in kobo once, and returns a pay page that does not expire', async () => {
    const { account, requests, bodies } = accountAt([200, created]);
    expect(await account.create(order, options)).to.deep.equal({ url, linkExpiresInMs: null });
    expect(requests).to.deep.equal(['POST /transaction/initialize']);
    expect(JSON.parse(bodies[0]!)).to.deep.equal({
      ...{ email: 'ada@example.com', amount: 500_050, currency: 'NGN', reference },
      callback_url: 'https://pay.example/pay/ct_1?returned=1',
      metadata: {
        description: 'Two tickets',
        customer_name: 'Ada',
        customer_phone: '+2348012345678',
      },
    });
  });

  it('has an unknown outcome where the answer holds no pay page', async () => {
    const replies: Reply[] = [
      [200, JSON.stringify(created).slice(0, -20)],
      [200, { status: true, message: 'ok' }],
      [200, good({ reference })],
      [200, good({ authorization_url: 'javascript:alert(1)' })],
      [500, created],
    ];
    for (const reply of replies) {
      const error = await errorOf(accountAt(reply).account.create(order, options));
      expect(error, JSON.stringify(reply)).to.include({ kind: 'unknown', stage: 'create' });
    }
  });
});

describe('Listing the payments of Paystack', () => {
  it('asks for payments created in the period, or for successful ones alone', async () => {
    const { account, requests } = accountAt([200, listed([transaction()])], [200, listed([])]);
    const { rows } = await account.listPayments({ ...span, cursor: '2:7' }, options);
    expect(rows.map(({ providerPaymentId }) => providerPaymentId)).to.deep.equal(['4099260516']);
    await account.listPayments({ ...span, cursor: null, paidOnly: true }, options);
    const query = 'from=2026-03-02T00%3A00%3A00.000Z&to=2026-03-03T00%3A00%3A00.000Z';
    expect(requests).to.deep.equal([
      `GET /transaction?${query}&perPage=100&page=2`,
      `GET /transaction?${query}&status=success&perPage=100&page=1`,
    ]);
  });
});
