import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import * as readFlutterwave from '../../../domain/providers/flutterwave/notification.ts';
import * as readMonnify from '../../../domain/providers/monnify/notification.ts';
import * as readPaystack from '../../../domain/providers/paystack/notification.ts';
import type { Credentials } from '../../../domain/shared/credentials.ts';
import * as flutterwave from './flutterwave/examples.ts';
import * as monnify from './monnify/examples.ts';
import * as paystack from './paystack/examples.ts';

type Header = string | string[] | undefined;
type Row = [event: string, data: unknown, about: string, references: string[], ids: string[]];

interface Notifying {
  provider: string;
  reader: typeof readPaystack;
  header: string;
  credentials: Credentials;
  /** A notification whose signature is published, or kept by both sides. */
  vector: { body: string; signature: string };
  isFrom: object;
  /** How an event and what it is about are written. */
  body(event: string, data: unknown): object;
  named: Row[];
  /** Names that no payment has. */
  nameless: [event: string, data: unknown[]];
}

const { reference } = paystack;
const its = [monnify.transactionReference];
const ids = ['288200108'];
const ours = [reference];

const refundOfPaystack = { status: 'processed', transaction_reference: reference, amount: '5000' };
const dispute = { id: 358950, transaction: paystack.transaction(), transaction_reference: null };
const resolved = { ...dispute, transaction_reference: reference };
const refundOfFlutterwave = {
  ...{ id: 8612, AmountRefunded: 1000, status: 'completed-mpgs', FlwRef: 'URF_1' },
  ...{ AccountId: 73362, TransactionId: 288200108 },
};
const flat = {
  ...{ id: 125837, txRef: reference, flwRef: 'FLW-MOCK-1', amount: 5000 },
  ...{ status: 'successful', 'event.type': 'CARD_TRANSACTION' },
};
const chargeback = { id: 5, transaction_id: 6, tx_ref: reference };
const twice = { ...chargeback, txRef: reference, tx_id: '6', TransactionId: 7 };
const completed = { event: 'charge.completed', data: flutterwave.transaction(), meta_data: {} };
const refundOfMonnify = {
  ...{ transactionReference: its[0], refundReference: 'ref_1', refundStatus: 'COMPLETED' },
};
const rejected = { transactionReference: its[0], paymentReference: reference, metaData: '{}' };
const other = { transactionReference: 'MNFY|2', paymentReference: 'SV-2-b' };
const settlement = { amount: '1.00', transactions: [monnify.transaction(), other, other, null] };

const malformed = [
  ...['', 'null', '[]', '"x"', '7', '{', '{"event":7,"data":[]}', '{"event":null,"data":null}'],
  ...['{"event":"a b","data":{"reference":"","tx_ref":""}}', '{"data":{"tx_ref":{"a":1}}}'],
  '{"data":{"reference":"a\\u0000b","transaction":{"reference":["x"]}}}',
  ...['{"eventType":7,"eventData":[]}', '{"eventType":"a b"}', '{"eventType":null}'],
  ...['{"__proto__":{"event":"x"}}', '{"__proto__":{"eventType":"x"}}'],
];

const providers: Notifying[] = [
  {
    ...{ provider: 'Paystack', reader: readPaystack, header: 'x-paystack-signature' },
    credentials: paystack.credentials,
    vector: {
      body: '{"event":"charge.success","data":{"id":302961,"domain":"test","status":"success","reference":"REF-1","amount":10000}}',
      signature:
        '013aebbe3393f9a04d563b6710b1faa3168ab592a11547214904fa3c6c82f266ec8b8cd7e4792053e63411539fb943a4d82923e9ed25e377c7a9dce93caff20b',
    },
    isFrom: { event: 'charge.success', about: 'payment', references: ['REF-1'], paymentIds: [] },
    body: (event, data) => ({ event, data }),
    named: [
      ['charge.success', paystack.transaction(), 'payment', ours, []],
      ['charge.success', { id: 302961, reference, metadata: 0, plan: {} }, 'payment', ours, []],
      ['refund.pending', { ...refundOfPaystack, refund_reference: null }, 'refund', ours, []],
      ['refund.processing', refundOfPaystack, 'refund', ours, []],
      ['refund.processed', refundOfPaystack, 'refund', ours, []],
      ['refund.failed', { ...refundOfPaystack, amount: 5000 }, 'refund', ours, []],
      ['refund.needs-attention', { ...refundOfPaystack, id: '15' }, 'refund', ours, []],
      ['charge.dispute.create', dispute, 'dispute', ours, []],
      ['charge.dispute.remind', dispute, 'dispute', ours, []],
      ['charge.dispute.resolve', resolved, 'dispute', ours, []],
      ['bank.transfer.rejected', { transaction_id: 5 }, 'other', [], []],
      ['subscription.create', { transaction_id: 5 }, 'other', [], []],
    ],
    nameless: ['charge.success', [{ reference: { a: 1 } }, { reference: 'x'.repeat(201) }]],
  },
  {
    ...{ provider: 'Flutterwave', reader: readFlutterwave, header: 'verif-hash' },
    credentials: flutterwave.credentials,
    vector: { body: JSON.stringify(completed), signature: flutterwave.secretHash },
    isFrom: {
      ...{ event: 'charge.completed', about: 'payment' },
      ...{ references: ours, paymentIds: ids },
    },
    body: (event, data) =>
      event.includes('.') ? { event, data } : (data as { flat: object }).flat,
    named: [
      ['charge.completed', completed.data, 'payment', ours, ids],
      ['charge.completed', flutterwave.transaction({ status: 'failed' }), 'payment', ours, ids],
      ['charge.completed', flutterwave.transaction({ id: ids[0] }), 'payment', ours, ids],
      ['charge.completed', { id: '7' }, 'payment', [], ['7']],
      ['CARD_TRANSACTION', { flat }, 'payment', ours, ['125837']],
      ['unknown', { flat: { ...flat, 'event.type': undefined } }, 'payment', ours, ['125837']],
      ['refund', { flat: refundOfFlutterwave }, 'refund', [], ['288200108']],
      ['refund', { flat: { TransactionId: { a: 1 } } }, 'refund', [], []],
      ['refund.completed', { id: 5, tx_id: 6 }, 'refund', [], ['6']],
      ['chargeback.lost', chargeback, 'dispute', ours, ['6']],
      ['chargeback.lost', twice, 'dispute', ours, ['6', '7']],
      ['transfer.completed', chargeback, 'other', [], []],
      ['subscription.cancelled', { id: 5 }, 'other', [], []],
      ['Transfer', { flat: { 'event.type': 'Transfer', transfer: { id: 5 } } }, 'other', [], []],
    ],
    nameless: [
      'charge.completed',
      [
        ...[{}, [], null, true, 1.5, -1, '', '1 2', '9'.repeat(21)].map((id) => ({ id })),
        ...['a\u0000b', 'x'.repeat(201), 'a b', 7, ['x']].map((tx_ref) => ({ tx_ref })),
      ],
    ],
  },
  {
    ...{ provider: 'Monnify', reader: readMonnify, header: 'monnify-signature' },
    credentials: monnify.credentials,
    vector: {
      body: '{"eventData":{"product":{"reference":"111222333","type":"OFFLINE_PAYMENT_AGENT"},"transactionReference":"MNFY|76|20211117154810|000001","paymentReference":"0.01462001097368737","paidOn":"17/11/2021 3:48:10 PM","paymentDescription":"Mockaroo Jesse","metaData":{},"destinationAccountInformation":{},"paymentSourceInformation":{},"amountPaid":78000,"totalPayable":78000,"offlineProductInformation":{"code":"41470","type":"DYNAMIC"},"cardDetails":{},"paymentMethod":"CASH","currency":"NGN","settlementAmount":77600,"paymentStatus":"PAID","customer":{"name":"Mockaroo Jesse","email":"111222333@ZZAMZ4WT4Y3E.monnify"}},"eventType":"SUCCESSFUL_TRANSACTION"}',
      signature:
        'f04fb635e04d71648bd3cc7999003da6861483342c856d05ddfa9b2dafacb873b0de1d0f8f67405d0010b4348b721c49fa171d317972618debba6b638aedcd3c',
    },
    isFrom: {
      ...{ event: 'SUCCESSFUL_TRANSACTION', about: 'payment' },
      ...{ references: ['0.01462001097368737'], paymentIds: ['MNFY|76|20211117154810|000001'] },
    },
    body: (eventType, eventData) => ({ eventData, eventType }),
    named: [
      ['SUCCESSFUL_TRANSACTION', monnify.transaction(), 'payment', ours, its],
      ['REJECTED_PAYMENT', rejected, 'payment', ours, its],
      ['SUCCESSFUL_REFUND', refundOfMonnify, 'refund', [], its],
      ['FAILED_REFUND', refundOfMonnify, 'refund', [], its],
      ['SETTLEMENT', settlement, 'settlement', [...ours, 'SV-2-b'], [...its, 'MNFY|2']],
      ['SETTLEMENT', { amount: '1.00', transactions: {} }, 'settlement', [], []],
      ['SUCCESSFUL_DISBURSEMENT', { transactionReference: 'MFDS|1' }, 'other', [], []],
      ['LOW_BALANCE_ALERT', null, 'other', [], []],
      ['toString', monnify.transaction(), 'other', [], []],
    ],
    nameless: [
      'SUCCESSFUL_TRANSACTION',
      [
        ...[[], null, 7, { paymentReference: ['x'] }],
        { paymentReference: 'a\0b', transactionReference: 'x'.repeat(201) },
      ],
    ],
  },
];

const sign = (body: string, key: string) => createHmac('sha512', key).update(body).digest('hex');
const readerOf =
  ({ reader, header, credentials }: Notifying, mode: 'live' | 'test' = 'live') =>
  (body: string, signature: Header, given: Credentials = credentials) => {
    const account = { credentials: given, baseUrl: '', clock: monnify.clock, mode };
    return reader.readNotification(account, { [header]: signature }, Buffer.from(body));
  };

for (const notifying of providers) {
  const { provider, reader, vector, isFrom, body, named, nameless } = notifying;
  const read = readerOf(notifying);
  const readAs = (event: string, data: unknown) =>
    reader.readEvent(Buffer.from(JSON.stringify(body(event, data))));

  describe(`A notification of ${provider}`, () => {
    it('is read with its signature, and with no other', () => {
      const { body: text, signature } = vector;
      expect(read(text, signature)).to.deep.equal(isFrom);
      const wrong: Header[] = [
        ...[undefined, '', signature.slice(0, signature.length / 2), `${signature}00`],
        ...[signature.toUpperCase(), [signature, signature], 'é'.repeat(signature.length / 2)],
        ...['another hash of the shop..', notifying.credentials.secret_key, sign(text, 'other')],
      ];
      for (const given of wrong) expect(read(text, given), `${given}`).to.equal(undefined);
      for (const given of [sign(text, ''), undefined, '', 'undefined'])
        for (const none of [{}, { secret_key: '', secret_hash: '' }])
          expect(read(text, given, none), 'an account without a key').to.equal(undefined);
    });

    if (provider !== 'Flutterwave')
      it('is signed to the byte', () => {
        const { body: text, signature } = vector;
        const others = [
          text.replace('0', '1'),
          `${text} `,
          JSON.stringify(JSON.parse(text), null, 1),
        ];
        for (const changed of others) expect(read(changed, signature)).to.equal(undefined);
      });

    it('names the payment, refund or dispute to read, in each documented form', () => {
      for (const [event, data, about, references, paymentIds] of named)
        expect(readAs(event, data)).to.deep.equal({ event, about, references, paymentIds });
    });

    it('never throws, and names nothing where it is malformed', () => {
      const deep = ['['.repeat(100_000), '{"a":'.repeat(100_000)];
      const bodies = [...malformed, ...deep].map((text) => Buffer.from(text));
      const nothing = { references: [], paymentIds: [] };
      for (const text of [...bodies, Buffer.from([0xff, 0xfe, 0x00, 0x80])])
        expect(reader.readEvent(text), text.toString().slice(0, 60)).to.deep.equal({
          ...{ event: 'unknown', about: 'other', ...nothing },
        });
      for (const data of nameless[1])
        expect(readAs(nameless[0], data), JSON.stringify(data)).to.deep.include(nothing);
    });
  });
}

describe('A notification of Paystack, Flutterwave or Monnify alone', () => {
  it('of Paystack may name two references of one payment', () => {
    const data = { reference: 'a', transaction_reference: 'b', transaction: { reference: 'a' } };
    const body = JSON.stringify({ event: 'charge.dispute.create', data });
    expect(readPaystack.readEvent(Buffer.from(body)).references).to.deep.equal(['a', 'b']);
  });

  it('of Flutterwave keeps every digit of an id', () => {
    const body = '{"event":"charge.completed","data":{"id":18446744073709551615}}';
    const { paymentIds } = readFlutterwave.readEvent(Buffer.from(body));
    expect(paymentIds).to.deep.equal(['18446744073709551615']);
  });

  it("of Monnify's sandbox, which signs nothing, is a hint of the payments to ask about", () => {
    const unsigned = (eventType: string, eventData: object, mode: 'live' | 'test' = 'test') =>
      readerOf(providers[2]!, mode)(JSON.stringify({ eventType, eventData }), undefined);
    const hint = { about: 'payment', references: ours, paymentIds: its };
    const paid = monnify.transaction();
    const event = 'SUCCESSFUL_TRANSACTION';
    expect(unsigned(event, paid)).to.deep.equal({ event, ...hint });
    const settled = unsigned('SETTLEMENT', { amount: '1.00', transactions: [paid] });
    expect(settled, 'no amount of a payout').to.deep.equal({ event: 'SETTLEMENT', ...hint });
    expect(unsigned('LOW_BALANCE_ALERT', {}), 'names nothing').to.equal(undefined);
    expect(unsigned(event, {})).to.equal(undefined);
    expect(unsigned(event, paid, 'live')).to.equal(undefined);
    const { body } = providers[2]!.vector;
    for (const wrong of ['', 'a'.repeat(128), sign(body, 'OTHER')])
      expect(readerOf(providers[2]!, 'test')(body, wrong), wrong).to.equal(undefined);
  });
});
