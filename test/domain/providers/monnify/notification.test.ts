import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { monnify } from '../../../../domain/providers/monnify/provider.ts';
import { malformedBodies, wronglySigned } from '../malformed.ts';
import {
  baseUrl,
  clock,
  credentials,
  opened,
  reference,
  transaction,
  transactionReference,
} from './examples.ts';

const account = opened();
const sign = (body: string | Buffer, key = credentials.secret_key) =>
  createHmac('sha512', key).update(body).digest('hex');
const read = (body: string | Buffer, signature: string | string[] | undefined = sign(body)) =>
  account.readNotification({ 'monnify-signature': signature }, Buffer.from(body));
const say = (eventType: string, eventData: unknown) =>
  read(JSON.stringify({ eventData, eventType }));

const vector = {
  body: '{"eventData":{"product":{"reference":"111222333","type":"OFFLINE_PAYMENT_AGENT"},"transactionReference":"MNFY|76|20211117154810|000001","paymentReference":"0.01462001097368737","paidOn":"17/11/2021 3:48:10 PM","paymentDescription":"Mockaroo Jesse","metaData":{},"destinationAccountInformation":{},"paymentSourceInformation":{},"amountPaid":78000,"totalPayable":78000,"offlineProductInformation":{"code":"41470","type":"DYNAMIC"},"cardDetails":{},"paymentMethod":"CASH","currency":"NGN","settlementAmount":77600,"paymentStatus":"PAID","customer":{"name":"Mockaroo Jesse","email":"111222333@ZZAMZ4WT4Y3E.monnify"}},"eventType":"SUCCESSFUL_TRANSACTION"}',
  signature:
    'f04fb635e04d71648bd3cc7999003da6861483342c856d05ddfa9b2dafacb873b0de1d0f8f67405d0010b4348b721c49fa171d317972618debba6b638aedcd3c',
};

describe("Monnify's notifications", () => {
  it('are accepted with the signature of the published vector', () => {
    expect(read(vector.body, vector.signature)).to.deep.equal({
      event: 'SUCCESSFUL_TRANSACTION',
      about: 'payment',
      references: ['0.01462001097368737'],
      paymentIds: ['MNFY|76|20211117154810|000001'],
    });
  });

  const { body } = vector;
  const refused = wronglySigned({
    ...vector,
    changed: body.replace('78000', '78001'),
    foreign: sign(body, 'OTHER'),
  });
  for (const [what, text, given] of refused) {
    it(`are refused with ${what}`, () => {
      expect(account.readNotification({ 'monnify-signature': given }, Buffer.from(text))).to.equal(
        undefined,
      );
    });
  }

  it('are all refused by an account without a key', () => {
    const keyless = monnify.open({ credentials: {}, baseUrl, clock });
    expect(
      keyless.readNotification({ 'monnify-signature': sign(body, '') }, Buffer.from(body)),
    ).to.equal(undefined);
  });

  const refund = {
    transactionReference,
    refundReference: 'ref_1',
    refundStatus: 'COMPLETED',
    refundAmount: 100,
    merchantReason: 'x',
  };
  const rejected = {
    metaData: '{}',
    amount: 100,
    transactionReference,
    created_on: '2026-03-02 10:00:00.0',
    paymentReference: reference,
  };
  const other = { transactionReference: 'MNFY|2', paymentReference: 'SV-2-b' };
  const settlement = {
    amount: '1199.00',
    settlementReference: 'S1',
    transactionsCount: 2,
    transactions: [transaction(), other, other, null],
  };
  const events: [
    event: string,
    data: unknown,
    about: string,
    references: string[],
    paymentIds: string[],
  ][] = [
    [
      'SUCCESSFUL_TRANSACTION',
      transaction({ paymentSourceInformation: [{}] }),
      'payment',
      [reference],
      [transactionReference],
    ],
    ['REJECTED_PAYMENT', rejected, 'payment', [reference], [transactionReference]],
    ['SUCCESSFUL_REFUND', refund, 'refund', [], [transactionReference]],
    ['FAILED_REFUND', refund, 'refund', [], [transactionReference]],
    [
      'SETTLEMENT',
      settlement,
      'settlement',
      [reference, 'SV-2-b'],
      [transactionReference, 'MNFY|2'],
    ],
    ['SETTLEMENT', { amount: '1.00', transactions: {} }, 'settlement', [], []],
    [
      'SUCCESSFUL_DISBURSEMENT',
      { transactionReference: 'MFDS|1', reference: 'pay-1' },
      'other',
      [],
      [],
    ],
    ['LOW_BALANCE_ALERT', null, 'other', [], []],
    ['toString', transaction(), 'other', [], []],
  ];
  for (const [event, data, about, references, paymentIds] of events) {
    it(`name what to ask about: ${event} of ${Object.keys(data ?? {}).length} fields`, () => {
      expect(say(event, data)).to.deep.equal({ event, about, references, paymentIds });
    });
  }

  it('never throw and name nothing when they are hostile, though signed', () => {
    const nothing = { event: 'unknown', about: 'other', references: [], paymentIds: [] };
    const hostile = [
      '{"eventType":7,"eventData":[]}',
      '{"eventType":"a b"}',
      '{"eventType":null}',
      '{"__proto__":{"eventType":"x"}}',
    ];
    for (const text of [...malformedBodies, ...hostile])
      expect(read(text), text.slice(0, 60)).to.deep.equal(nothing);
    expect(read(Buffer.from([0xff, 0xfe, 0x00, 0x80]))).to.deep.equal(nothing);
    const odd = [
      [],
      null,
      7,
      { paymentReference: 'a\0b', transactionReference: 'x'.repeat(201) },
      { paymentReference: ['x'] },
    ];
    for (const data of odd)
      expect(say('SUCCESSFUL_TRANSACTION', data)).to.deep.include({
        references: [],
        paymentIds: [],
      });
  });
});
