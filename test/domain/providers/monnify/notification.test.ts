import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { readEvent, readNotification } from '../../../../domain/providers/monnify/notification.ts';
import type { Credentials } from '../../../../domain/shared/credentials.ts';
import { expectNothingRead, wronglySigned } from '../malformed.ts';
import {
  baseUrl,
  clock,
  credentials,
  reference,
  transaction,
  transactionReference,
} from './examples.ts';

const sign = (body: string, key: string) => createHmac('sha512', key).update(body).digest('hex');
const readSigned = (
  body: string,
  signature: string | string[] | undefined,
  given: Credentials = credentials,
  mode: 'live' | 'test' = 'live',
) => {
  const account = { credentials: given, baseUrl, clock, mode };
  return readNotification(account, { 'monnify-signature': signature }, Buffer.from(body));
};
const read = (eventType: string, eventData: unknown) =>
  readEvent(Buffer.from(JSON.stringify({ eventData, eventType })));

const vector = {
  body: '{"eventData":{"product":{"reference":"111222333","type":"OFFLINE_PAYMENT_AGENT"},"transactionReference":"MNFY|76|20211117154810|000001","paymentReference":"0.01462001097368737","paidOn":"17/11/2021 3:48:10 PM","paymentDescription":"Mockaroo Jesse","metaData":{},"destinationAccountInformation":{},"paymentSourceInformation":{},"amountPaid":78000,"totalPayable":78000,"offlineProductInformation":{"code":"41470","type":"DYNAMIC"},"cardDetails":{},"paymentMethod":"CASH","currency":"NGN","settlementAmount":77600,"paymentStatus":"PAID","customer":{"name":"Mockaroo Jesse","email":"111222333@ZZAMZ4WT4Y3E.monnify"}},"eventType":"SUCCESSFUL_TRANSACTION"}',
  signature:
    'f04fb635e04d71648bd3cc7999003da6861483342c856d05ddfa9b2dafacb873b0de1d0f8f67405d0010b4348b721c49fa171d317972618debba6b638aedcd3c',
};

describe('A notification of Monnify', () => {
  it('is read with the signature of the published vector, and with no other', () => {
    const { body, signature } = vector;
    expect(readSigned(body, signature)).to.deep.equal({
      ...{ event: 'SUCCESSFUL_TRANSACTION', about: 'payment' },
      ...{ references: ['0.01462001097368737'], paymentIds: ['MNFY|76|20211117154810|000001'] },
    });
    const changed = body.replace('78000', '78001');
    const foreign = sign(body, 'OTHER');
    for (const [what, text, given] of wronglySigned({ ...vector, changed, foreign }))
      expect(readSigned(text, given), what).to.equal(undefined);
    expect(readSigned(body, sign(body, ''), {}), 'an account without a key').to.equal(undefined);
  });

  it('of the sandbox, which signs nothing, is a hint of the payments to ask about', () => {
    const readUnsigned = (eventType: string, eventData: object, mode: 'live' | 'test' = 'test') =>
      readSigned(JSON.stringify({ eventType, eventData }), undefined, credentials, mode);
    const payment = {
      ...{ event: 'SUCCESSFUL_TRANSACTION', about: 'payment' },
      ...{ references: [reference], paymentIds: [transactionReference] },
    };
    expect(readUnsigned('SUCCESSFUL_TRANSACTION', transaction())).to.deep.equal(payment);
    const settlement = { amount: '1.00', transactions: [transaction()] };
    expect(readUnsigned('SETTLEMENT', settlement), 'no amount of a payout').to.deep.equal({
      ...payment,
      event: 'SETTLEMENT',
    });
    expect(readUnsigned('LOW_BALANCE_ALERT', {}), 'names nothing').to.equal(undefined);
    expect(readUnsigned('SUCCESSFUL_TRANSACTION', {})).to.equal(undefined);
    expect(readUnsigned('SUCCESSFUL_TRANSACTION', transaction(), 'live')).to.equal(undefined);
    const { body } = vector;
    for (const wrong of ['', 'a'.repeat(128), sign(body, 'OTHER')])
      expect(readSigned(body, wrong, credentials, 'test'), wrong).to.equal(undefined);
  });

  it('names the payments to read', () => {
    const refund = { transactionReference, refundReference: 'ref_1', refundStatus: 'COMPLETED' };
    const rejected = { transactionReference, paymentReference: reference, metaData: '{}' };
    const other = { transactionReference: 'MNFY|2', paymentReference: 'SV-2-b' };
    const settlement = { amount: '1.00', transactions: [transaction(), other, other, null] };
    type Row = [event: string, data: unknown, about: string, references: string[], ids: string[]];
    const [ours, its] = [[reference], [transactionReference]];
    const rows: Row[] = [
      ['SUCCESSFUL_TRANSACTION', transaction(), 'payment', ours, its],
      ['REJECTED_PAYMENT', rejected, 'payment', ours, its],
      ['SUCCESSFUL_REFUND', refund, 'refund', [], its],
      ['FAILED_REFUND', refund, 'refund', [], its],
      ['SETTLEMENT', settlement, 'settlement', [...ours, 'SV-2-b'], [...its, 'MNFY|2']],
      ['SETTLEMENT', { amount: '1.00', transactions: {} }, 'settlement', [], []],
      ['SUCCESSFUL_DISBURSEMENT', { transactionReference: 'MFDS|1' }, 'other', [], []],
      ['LOW_BALANCE_ALERT', null, 'other', [], []],
      ['toString', transaction(), 'other', [], []],
    ];
    for (const [event, data, about, references, paymentIds] of rows)
      expect(read(event, data)).to.deep.equal({ event, about, references, paymentIds });
  });

  it('never throws, and names nothing where it is malformed', () => {
    expectNothingRead(readEvent, [
      '{"eventType":7,"eventData":[]}',
      '{"eventType":"a b"}',
      '{"eventType":null}',
      '{"__proto__":{"eventType":"x"}}',
    ]);
    const tooLong = { paymentReference: 'a\0b', transactionReference: 'x'.repeat(201) };
    for (const data of [[], null, 7, tooLong, { paymentReference: ['x'] }])
      expect(read('SUCCESSFUL_TRANSACTION', data)).to.deep.include({
        references: [],
        paymentIds: [],
      });
  });
});
