import { expect } from 'chai';
import { flutterwave } from '../../../../domain/providers/flutterwave/provider.ts';
import { malformedBodies } from '../malformed.ts';
import { account, clock, credentials, reference, secretHash, transaction } from './examples.ts';

type Header = string | string[] | undefined;
const read = (body: string | Buffer, hash: Header = secretHash) =>
  account.readNotification({ 'verif-hash': hash }, Buffer.from(body));
const say = (body: object) => read(JSON.stringify(body));

const completed = {
  event: 'charge.completed',
  data: transaction(),
  meta_data: {},
  'event.type': 'CARD_TRANSACTION',
};
const legacy = {
  ...{
    id: 125837,
    txRef: reference,
    flwRef: 'FLW-MOCK-1',
    orderRef: 'URF_1',
    paymentPlan: null,
    createdAt: '2026-03-02T09:14:24.000Z',
  },
  ...{
    amount: 5000,
    charged_amount: 5000,
    status: 'successful',
    IP: '197.211.58.150',
    currency: 'NGN',
    appfee: 70,
    merchantfee: 0,
  },
  ...{
    customer: { id: 1, phone: null, fullName: 'Ada', email: 'ada@example.com' },
    entity: { card6: '553188', card_last4: '2950' },
  },
  'event.type': 'CARD_TRANSACTION',
};
const refund = {
  ...{
    id: 8612,
    AmountRefunded: 1000,
    status: 'completed-mpgs',
    FlwRef: 'URF_1',
    destination: 'payment_source',
    comments: 'x',
  },
  ...{
    settlement_id: 'NEW',
    meta: '{"source":"availablebalance"}',
    createdAt: '2026-03-03T09:18:37.000Z',
    updatedAt: '2026-03-03T09:18:37.000Z',
  },
  ...{ deletedAt: null, walletId: 74639, AccountId: 73362, TransactionId: 288200108 },
};

describe("Flutterwave's notifications", () => {
  it('are accepted with the secret hash', () => {
    expect(say(completed)).to.deep.equal({
      ...{
        event: 'charge.completed',
        about: 'payment',
        references: [reference],
        paymentIds: ['288200108'],
      },
    });
  });

  const refused: [what: string, hash: Header][] = [
    ['another hash', 'another hash of the shop..'],
    ['one changed letter', secretHash.replace('a', 'b')],
    ['no hash', undefined],
    ['an empty hash', ''],
    ['half a hash', secretHash.slice(0, 10)],
    ['a hash and more', `${secretHash}x`],
    ['a hash in capitals', secretHash.toUpperCase()],
    ['two hashes', [secretHash, secretHash]],
    ['the secret key', credentials.secret_key],
  ];
  for (const [what, hash] of refused) {
    it(`are refused with ${what}`, () => {
      expect(
        account.readNotification({ 'verif-hash': hash }, Buffer.from(JSON.stringify(completed))),
      ).to.equal(undefined);
    });
  }

  it('are all refused by an account without a hash', () => {
    for (const given of [{}, { secret_hash: '' }]) {
      const hashless = flutterwave.open({
        credentials: given as Record<string, string>,
        baseUrl: 'https://api.flutterwave.com/v3',
        clock,
      });
      for (const hash of [undefined, '', 'undefined'])
        expect(hashless.readNotification({ 'verif-hash': hash }, Buffer.from('{}'))).to.equal(
          undefined,
        );
    }
  });

  type Told = [event: string, about: string, references: string[], paymentIds: string[]];
  const bodies: [what: string, body: object, told: Told][] = [
    ['a payment', completed, ['charge.completed', 'payment', [reference], ['288200108']]],
    [
      'a try that failed',
      { ...completed, data: transaction({ status: 'failed' }) },
      ['charge.completed', 'payment', [reference], ['288200108']],
    ],
    [
      'a payment whose id is text',
      { event: 'charge.completed', data: { id: '7' } },
      ['charge.completed', 'payment', [], ['7']],
    ],
    [
      'a payment in the older flat form',
      legacy,
      ['CARD_TRANSACTION', 'payment', [reference], ['125837']],
    ],
    [
      'the same without a type',
      { ...legacy, 'event.type': undefined },
      ['unknown', 'payment', [reference], ['125837']],
    ],
    ['a refund', refund, ['refund', 'refund', [], ['288200108']]],
    [
      'a refund, nested',
      { event: 'refund.completed', data: { id: 5, tx_id: 6 } },
      ['refund.completed', 'refund', [], ['6']],
    ],
    [
      'a chargeback',
      { event: 'chargeback.initiated', data: { id: 5, transaction_id: 6, tx_ref: reference } },
      ['chargeback.initiated', 'dispute', [reference], ['6']],
    ],
    [
      'a transfer',
      { event: 'transfer.completed', data: { id: 5, transaction_id: 6, tx_ref: 'x' } },
      ['transfer.completed', 'other', [], []],
    ],
    [
      'a subscription',
      { event: 'subscription.cancelled', data: { id: 5 } },
      ['subscription.cancelled', 'other', [], []],
    ],
    [
      'a flat transfer',
      { 'event.type': 'Transfer', transfer: { id: 5 } },
      ['Transfer', 'other', [], []],
    ],
    [
      'a payment without meta_data and type',
      { event: 'charge.completed', data: transaction() },
      ['charge.completed', 'payment', [reference], ['288200108']],
    ],
  ];
  for (const [what, body, [event, about, references, paymentIds]] of bodies) {
    it(`name what to ask about: ${what}`, () => {
      expect(say(body)).to.deep.equal({ event, about, references, paymentIds });
    });
  }

  it('name each payment once', () => {
    const data = {
      tx_ref: reference,
      txRef: reference,
      transaction_id: 6,
      tx_id: '6',
      TransactionId: 7,
    };
    expect(say({ event: 'chargeback.lost', data })).to.deep.include({
      references: [reference],
      paymentIds: ['6', '7'],
    });
  });

  it('never throw and name nothing when they are hostile, though they know the hash', () => {
    const nothing = { event: 'unknown', about: 'other', references: [], paymentIds: [] };
    const hostile = [
      '{"event":7,"data":[]}',
      '{"event":null,"data":null}',
      '{"data":{"tx_ref":{"a":1}}}',
      '{"event":"a b","data":{"tx_ref":""}}',
      '{"__proto__":{"event":"x"}}',
    ];
    for (const text of [...malformedBodies, ...hostile])
      expect(read(text), text.slice(0, 60)).to.deep.equal(nothing);
    expect(read(Buffer.from([0xff, 0xfe, 0x00, 0x80]))).to.deep.equal(nothing);
    const ids = [{}, [], null, true, 1.5, -1, '', '1 2', '9'.repeat(21), 2 ** 60];
    for (const id of ids)
      expect(say({ event: 'charge.completed', data: { id, tx_ref: ['x'] } })).to.deep.include({
        references: [],
        paymentIds: [],
      });
    for (const tx_ref of ['a\u0000b', 'x'.repeat(201), 'a b', 7])
      expect(say({ event: 'charge.completed', data: { tx_ref } })!.references).to.deep.equal([]);
    expect(say({ TransactionId: { a: 1 } })).to.deep.equal({
      ...nothing,
      event: 'refund',
      about: 'refund',
    });
  });
});
