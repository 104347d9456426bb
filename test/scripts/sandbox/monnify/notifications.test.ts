import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { sign } from '../../../../scripts/sandbox/monnify/notifications.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { openFixture } from '../fixture.ts';
import type { Json } from '../json.ts';
import { openMonnify } from './monnify-fixture.ts';

const published = `{"eventData":{"product":{"reference":"111222333","type":"OFFLINE_PAYMENT_AGENT"},"transactionReference":"MNFY|76|20211117154810|000001","paymentReference":"0.01462001097368737","paidOn":"17/11/2021 3:48:10 PM","paymentDescription":"Mockaroo Jesse","metaData":{},"destinationAccountInformation":{},"paymentSourceInformation":{},"amountPaid":78000,"totalPayable":78000,"offlineProductInformation":{"code":"41470","type":"DYNAMIC"},"cardDetails":{},"paymentMethod":"CASH","currency":"NGN","settlementAmount":77600,"paymentStatus":"PAID","customer":{"name":"Mockaroo Jesse","email":"111222333@ZZAMZ4WT4Y3E.monnify"}},"eventType":"SUCCESSFUL_TRANSACTION"}`;

describe("sandbox: Monnify's notifications", () => {
  const fixture = forEachTest(openMonnify);

  it('signs as Monnify does', () => {
    const secretKey = '91MUDL9N6U3BQRXBQ2PJ9M0PW4J22M1Y';
    expect(sign({ secretKey, credentials: {} }, published)).to.deep.equal({
      'monnify-signature':
        'f04fb635e04d71648bd3cc7999003da6861483342c856d05ddfa9b2dafacb873b0de1d0f8f67405d0010b4348b721c49fa171d317972618debba6b638aedcd3c',
    });
  });

  it('notifies a payment with its source and destination where it was by transfer, signed over the exact bytes', async () => {
    const { paymentReference, transactionReference } = await fixture.pay();
    const [notified, ...rest] = fixture.receiver.received;
    expect(rest).to.deep.equal([]);
    expect(notified?.headers['monnify-signature']).to.equal(
      createHmac('sha512', fixture.secretKey).update(notified!.raw).digest('hex'),
    );
    const { eventType, eventData } = notified!.body as Json;
    expect(eventType).to.equal('SUCCESSFUL_TRANSACTION');
    expect(eventData).to.deep.include({
      ...{ transactionReference, paymentReference, paidOn: '2026-03-02 10:00:00.000' },
      ...{ amountPaid: 5000, totalPayable: 5000, settlementAmount: '4925.00', currency: 'NGN' },
      ...{ paymentStatus: 'PAID', paymentMethod: 'ACCOUNT_TRANSFER' },
      customer: { email: 'ada@example.com', name: 'Ada Obi' },
    });
    expect(eventData.paymentSourceInformation[0]).to.include({ amountPaid: 5000 });
    const account = ['bankCode', 'bankName', 'accountNumber'];
    expect(eventData.destinationAccountInformation).to.have.all.keys(account);
    await fixture.pay(5000, { channel: 'card' });
    expect((fixture.receiver.received[1]!.body as Json).eventData).to.deep.include({
      ...{ paymentSourceInformation: {}, destinationAccountInformation: {} },
      paymentMethod: 'CARD',
    });
  });

  it('sends a wrong transfer back when asked to, and the payment can still be paid', async () => {
    const wrong = { amount_kobo: 450_000, reject: true };
    const { paymentReference, transactionReference } = await fixture.pay(5000, wrong);
    const { eventType, eventData } = fixture.receiver.received[0]!.body as Json;
    expect(eventType).to.equal('REJECTED_PAYMENT');
    expect(eventData).to.include({
      ...{ transactionReference, paymentReference, amount: 5000, metaData: '{}' },
      created_on: '2026-03-02 10:00:00.000',
    });
    expect(eventData.paymentSourceInformation).to.include({ amountPaid: 4500 });
    const rejection = { rejectionReason: 'UNDER_PAYMENT', expectedAmount: 5000 };
    expect(eventData.paymentRejectionInformation).to.include(rejection);
    expect((await fixture.query(paymentReference)).paymentStatus).to.equal('PENDING');
    const again = { reference: paymentReference, outcome: 'success' };
    expect((await fixture.control('POST', '/pay', again)).status).to.equal(200);
  });

  it('rejects no right amount, and nothing at a provider that keeps all transfers', async () => {
    await using keeper = await openFixture();
    for (const [at, reference, amount_kobo] of [
      [fixture, (await fixture.init()).paymentReference, 500_000],
      [keeper, await keeper.order(), 1],
    ] as const) {
      const payment = { reference, outcome: 'success', amount_kobo, reject: true };
      expect((await at.control('POST', '/pay', payment)).status).to.equal(400);
    }
  });
});
