import { expect } from 'chai';
import { forEachTest } from '../../../support/for-each-test.ts';
import { newReference } from '../fixture.ts';
import { newKeys, openMonnify, order } from './monnify-fixture.ts';

const path = '/api/v1/merchant/transactions/init-transaction';

describe('sandbox: Monnify payments', () => {
  const fixture = forEachTest(openMonnify);

  it('opens a hosted payment and answers its two references and its address', async () => {
    const paymentReference = newReference();
    const paymentMethods = ['CARD', 'ACCOUNT_TRANSFER'];
    const fields = { paymentReference, paymentMethods, metaData: { charge: 'SV-1' } };
    const { body } = await fixture.monnify('POST', path, order(fields));
    const { transactionReference } = body.responseBody;
    expect(transactionReference).to.match(/^MNFY\|\d\d\|20260302100000\|\d{6}$/);
    expect(body).to.deep.equal({
      ...{ requestSuccessful: true, responseMessage: 'success', responseCode: '0' },
      responseBody: {
        ...{ transactionReference, paymentReference, apiKey: fixture.apiKey },
        merchantName: `Sandbox Merchant ${fixture.accountId}`,
        redirectUrl: 'https://shop.example/done?cart=1',
        checkoutUrl: `${fixture.sandbox.url}/monnify/checkout/${transactionReference}`,
        enabledPaymentMethod: paymentMethods,
        ...{ incomeSplitConfig: [], metaData: { charge: 'SV-1' } },
      },
    });
  });

  it('accepts a reference once, also of two at once: the second is refused and counted', async () => {
    const body = order();
    const replies = await Promise.all([1, 2].map(() => fixture.monnify('POST', path, body)));
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 422]);
    expect(replies.find(({ status }) => status === 422)?.body).to.deep.equal({
      ...{ requestSuccessful: false, responseMessage: 'Duplicate payment reference' },
      responseCode: '99',
    });
    const { monnify } = (await fixture.control('GET', '/stats')).body;
    expect(monnify).to.include({ creates: 2, distinct_references: 1, resent_after_accept: 1 });
  });

  it('refuses an order in Monnify’s words', async () => {
    const rows: [fields: object, status: number, message: RegExp][] = [
      ...[
        ...[{ amount: undefined }, { amount: 100.005 }, { paymentReference: undefined }],
        ...[{ customerEmail: undefined }, { customerEmail: 'ada' }],
        ...[{ paymentMethods: ['QR'] }, { redirectUrl: 'shop' }],
      ].map((fields): [object, number, RegExp] => [fields, 400, /malformed syntax/]),
      [{ amount: 19.99 }, 400, /at least 20/],
      [{ currencyCode: 'USD' }, 422, /^Unknown currency code supplied$/],
      [{ contractCode: '1' }, 422, /^Could not find specified contract$/],
    ];
    for (const [fields, status, message] of rows) {
      const reply = await fixture.monnify('POST', path, order(fields));
      expect(reply.status, JSON.stringify(fields)).to.equal(status);
      expect(reply.body).to.include({ requestSuccessful: false, responseCode: '99' });
      expect(reply.body.responseMessage).to.match(message);
    }
  });

  it('gives each of many payments at once a transaction reference of its own', async () => {
    const opened = await Promise.all(Array.from({ length: 120 }, () => fixture.init()));
    const references = opened.map(({ transactionReference }) => transactionReference);
    expect(new Set(references).size).to.equal(120);
  });

  it('shows a paid one with what will be settled of it and the card, and none of another account', async () => {
    const { paymentReference, transactionReference } = await fixture.pay(5000, { channel: 'card' });
    const shown = await fixture.query(paymentReference);
    expect(shown).to.include({
      ...{ paymentStatus: 'PAID', amountPaid: '5000.00', totalPayable: '5000.00' },
      ...{ settlementAmount: '4925.00', paymentMethod: 'CARD', accountDetails: null },
      paidOn: '02/03/2026 10:00:00 AM',
    });
    expect(shown.cardDetails).to.include({ last4: '1111', maskedPan: '411111******1111' });
    const { apiKey, secretKey } = newKeys();
    const account = { provider: 'monnify', api_key: apiKey, secret_key: secretKey };
    await fixture.control('POST', '/accounts', { ...account, contract_code: '7' });
    const token = (await fixture.login(apiKey, secretKey)).body.responseBody.accessToken;
    for (const [query, message] of [
      [
        `/api/v2/transactions/${encodeURIComponent(transactionReference)}`,
        /^There's no transaction matching supplied reference\./,
      ],
      [
        `/api/v2/merchant/transactions/query?paymentReference=${paymentReference}`,
        /^Could not find transaction with payment reference \S+ for merchant Sandbox Merchant \d+$/,
      ],
    ] as const) {
      const { status, body } = await fixture.monnify('GET', query, undefined, token);
      expect([status, body.responseCode]).to.deep.equal([404, 99]);
      expect(body.responseMessage).to.match(message);
    }
  });

  it('states its times in Lagos, and counts noon and midnight as twelve', async () => {
    for (const [ms, paidOn] of [
      [2 * 3_600_000, '02/03/2026 12:00:00 PM'],
      [12 * 3_600_000 + 1000, '03/03/2026 12:00:01 AM'],
    ] as const) {
      await fixture.pass(ms);
      await fixture.login();
      const shown = await fixture.query((await fixture.pay()).paymentReference);
      expect(shown.paidOn).to.equal(paidOn);
    }
  });
});
