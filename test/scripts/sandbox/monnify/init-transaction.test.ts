import { expect } from 'chai';
import { newReference } from '../fixture.ts';
import { openMonnify, order } from './monnify-fixture.ts';

const path = '/api/v1/merchant/transactions/init-transaction';

describe('sandbox: POST /api/v1/merchant/transactions/init-transaction', () => {
  it('opens a hosted payment and answers its two references and its address', async () => {
    await using fixture = await openMonnify();
    const paymentReference = newReference();
    const fields = {
      paymentReference,
      paymentMethods: ['CARD', 'ACCOUNT_TRANSFER'],
      metaData: { charge: 'SV-1' },
    };
    const { status, body } = await fixture.monnify('POST', path, order(fields));
    expect(status).to.equal(200);
    const { transactionReference } = body.responseBody;
    expect(transactionReference).to.match(/^MNFY\|\d\d\|20260302100000\|\d{6}$/);
    expect(body).to.deep.equal({
      requestSuccessful: true,
      responseMessage: 'success',
      responseCode: '0',
      responseBody: {
        transactionReference,
        paymentReference,
        merchantName: `Sandbox Merchant ${fixture.accountId}`,
        apiKey: fixture.apiKey,
        redirectUrl: 'https://shop.example/done?cart=1',
        enabledPaymentMethod: ['CARD', 'ACCOUNT_TRANSFER'],
        checkoutUrl: `${fixture.sandbox.url}/monnify/checkout/${transactionReference}`,
        incomeSplitConfig: [],
        metaData: { charge: 'SV-1' },
      },
    });
  });

  it('accepts a reference once: the second is refused and counted, of two at once one is accepted', async () => {
    await using fixture = await openMonnify();
    const body = order();
    const replies = await Promise.all([1, 2].map(() => fixture.monnify('POST', path, body)));
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 422]);
    expect(replies.find(({ status }) => status === 422)?.body).to.deep.equal({
      requestSuccessful: false,
      responseMessage: 'Duplicate payment reference',
      responseCode: '99',
    });
    const { monnify } = (await fixture.control('GET', '/stats')).body;
    expect(monnify).to.include({ creates: 2, distinct_references: 1, resent_after_accept: 1 });
  });

  for (const [fault, fields, status, message] of [
    ['no amount', { amount: undefined }, 400, /malformed syntax/],
    ['a third decimal', { amount: 100.005 }, 400, /malformed syntax/],
    ['an amount below ₦20', { amount: 19.99 }, 400, /at least 20/],
    ['no e-mail', { customerEmail: undefined }, 400, /malformed syntax/],
    ['an e-mail that is none', { customerEmail: 'ada' }, 400, /malformed syntax/],
    ['no reference', { paymentReference: undefined }, 400, /malformed syntax/],
    ['a method that it does not have', { paymentMethods: ['QR'] }, 400, /malformed syntax/],
    ['an address that is none', { redirectUrl: 'shop' }, 400, /malformed syntax/],
    ['another currency', { currencyCode: 'USD' }, 422, /^Unknown currency code supplied$/],
    [
      "another merchant's contract",
      { contractCode: '1' },
      422,
      /^Could not find specified contract$/,
    ],
  ] as const) {
    it(`refuses ${fault}`, async () => {
      await using fixture = await openMonnify();
      const reply = await fixture.monnify('POST', path, order(fields));
      expect(reply.status).to.equal(status);
      expect(reply.body).to.include({ requestSuccessful: false, responseCode: '99' });
      expect(reply.body.responseMessage).to.match(message);
    });
  }

  it('gives each of many payments at once a transaction reference of its own', async () => {
    await using fixture = await openMonnify();
    const opened = await Promise.all(Array.from({ length: 120 }, () => fixture.init()));
    const references = opened.map(({ transactionReference }) => transactionReference);
    expect(new Set(references).size).to.equal(120);
  });
});
