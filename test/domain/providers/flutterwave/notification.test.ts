import { expect } from 'chai';
import {
  readEvent,
  readNotification,
} from '../../../../domain/providers/flutterwave/notification.ts';
import { expectNothingRead } from '../malformed.ts';
import { clock, credentials, reference, secretHash, transaction } from './examples.ts';

const read = (body: object) => readEvent(Buffer.from(JSON.stringify(body)));
const completed = { event: 'charge.completed', data: transaction(), meta_data: {} };

describe('A notification of Flutterwave', () => {
  it('is read with the secret hash, and with no other header', () => {
    const readWith = (hash: string | string[] | undefined, given: Record<string, string>) => {
      const baseUrl = 'https://api.flutterwave.com/v3';
      const account = { credentials: given, baseUrl, mode: 'live' as const, clock };
      const body = Buffer.from(JSON.stringify(completed));
      return readNotification(account, { 'verif-hash': hash }, body);
    };
    expect(readWith(secretHash, credentials)).to.deep.equal({
      ...{ event: 'charge.completed', about: 'payment' },
      ...{ references: [reference], paymentIds: ['288200108'] },
    });
    const wrong = [
      ...['another hash of the shop..', secretHash.replace('a', 'b'), undefined, ''],
      ...[secretHash.slice(0, 10), `${secretHash}x`, secretHash.toUpperCase()],
      ...[[secretHash, secretHash], credentials.secret_key],
    ];
    for (const hash of wrong) expect(readWith(hash, credentials), `${hash}`).to.equal(undefined);
    for (const hash of [undefined, '', 'undefined']) {
      expect(readWith(hash, {}), 'an account without a hash').to.equal(undefined);
      expect(readWith(hash, { secret_hash: '' }), 'an empty hash').to.equal(undefined);
    }
  });

  it('names the payments to read, in each documented form', () => {
    const flat = {
      ...{ id: 125837, txRef: reference, flwRef: 'FLW-MOCK-1', amount: 5000 },
      ...{ status: 'successful', 'event.type': 'CARD_TRANSACTION' },
    };
    const refund = {
      ...{ id: 8612, AmountRefunded: 1000, status: 'completed-mpgs', FlwRef: 'URF_1' },
      ...{ AccountId: 73362, TransactionId: 288200108 },
    };
    const chargeback = { id: 5, transaction_id: 6, tx_ref: reference };
    const twice = { ...chargeback, txRef: reference, tx_id: '6', TransactionId: 7 };
    const failed = transaction({ status: 'failed' });
    const nested = (event: string, data: object) => ({ event, data });
    type Row = [body: object, event: string, about: string, references: string[], ids: string[]];
    const ours = [reference];
    const rows: Row[] = [
      [completed, 'charge.completed', 'payment', ours, ['288200108']],
      [{ ...completed, data: failed }, 'charge.completed', 'payment', ours, ['288200108']],
      [nested('charge.completed', { id: '7' }), 'charge.completed', 'payment', [], ['7']],
      [flat, 'CARD_TRANSACTION', 'payment', ours, ['125837']],
      [{ ...flat, 'event.type': undefined }, 'unknown', 'payment', ours, ['125837']],
      [refund, 'refund', 'refund', [], ['288200108']],
      [nested('refund.completed', { id: 5, tx_id: 6 }), 'refund.completed', 'refund', [], ['6']],
      [nested('chargeback.lost', chargeback), 'chargeback.lost', 'dispute', ours, ['6']],
      [nested('chargeback.lost', twice), 'chargeback.lost', 'dispute', ours, ['6', '7']],
      [nested('transfer.completed', chargeback), 'transfer.completed', 'other', [], []],
      [nested('subscription.cancelled', { id: 5 }), 'subscription.cancelled', 'other', [], []],
      [{ 'event.type': 'Transfer', transfer: { id: 5 } }, 'Transfer', 'other', [], []],
    ];
    for (const [body, event, about, references, paymentIds] of rows)
      expect(read(body)).to.deep.equal({ event, about, references, paymentIds });
  });

  it('never throws, and names nothing where it is malformed', () => {
    expectNothingRead(readEvent, [
      '{"event":7,"data":[]}',
      '{"event":null,"data":null}',
      '{"data":{"tx_ref":{"a":1}}}',
      '{"event":"a b","data":{"tx_ref":""}}',
      '{"__proto__":{"event":"x"}}',
    ]);
    const data = [
      ...[{}, [], null, true, 1.5, -1, '', '1 2', '9'.repeat(21)].map((id) => ({ id })),
      ...['a\u0000b', 'x'.repeat(201), 'a b', 7, ['x']].map((tx_ref) => ({ tx_ref })),
    ];
    for (const each of data)
      expect(read({ event: 'charge.completed', data: each }), JSON.stringify(each)).to.deep.include(
        { ...{ references: [], paymentIds: [] } },
      );
    const digits = '{"event":"charge.completed","data":{"id":18446744073709551615}}';
    expect(readEvent(Buffer.from(digits)).paymentIds).to.deep.equal(['18446744073709551615']);
    expect(read({ TransactionId: { a: 1 } })).to.deep.include({ about: 'refund', paymentIds: [] });
  });
});
