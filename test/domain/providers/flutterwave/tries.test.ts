import { expect } from 'chai';
import { expectErrors, type Reply } from '../calls.ts';
import {
  accountAt,
  bad,
  good,
  listed,
  noTransaction,
  options,
  reference,
  row,
  transaction,
} from './examples.ts';

type Fields = Record<string, unknown>;

const verifyWith = (...replies: Reply[]) =>
  accountAt(...replies).account.verify(reference, options);
/** The answer by reference, or by id, is one try. */
const one = (fields: Fields): Reply => [200, good(transaction(fields))];
const list = (...rows: Fields[]): Reply => [200, listed(rows.map(row))];

const first = { id: 11, created_at: '2026-03-02T09:00:00.000Z', amount_settled: 4900 };
const second = { id: 12, created_at: '2026-03-02T10:00:00.000Z', amount_settled: 4800 };
const failed = { id: 13, status: 'failed', processor_response: 'Insufficient funds' };

describe('Several tries under one reference at Flutterwave', () => {
  it('are two captures where two succeeded, the older first, each with its evidence', async () => {
    for (const [shown, other] of [
      [second, first],
      [first, second],
    ] as const) {
      const { state, captures, raw } = await verifyWith(
        one(shown),
        list(second, first),
        one(other),
      );
      expect(state).to.equal('paid');
      expect(captures.map((each) => [each.providerPaymentId, each.feeKobo])).to.deep.equal([
        ['11', 10_000],
        ['12', 20_000],
      ]);
      const evidence = raw.split('\n').map((line) => JSON.parse(line).data.id);
      expect(evidence).to.deep.equal([shown.id, other.id]);
    }
  });

  it('are paid where one succeeded, whatever the answer by reference shows', async () => {
    for (const status of ['failed', 'cancelled', 'pending', 'frozen']) {
      const shown = { id: 13, status };
      const { captures, ...rest } = await verifyWith(one(shown), list(shown, first), one(first));
      expect(captures, status).to.have.length(1);
      expect(rest, status).to.deep.include({
        ...{ state: 'paid', status: 'successful', failureMessage: null },
        unknownWords: status === 'frozen' ? ['status "frozen"'] : [],
      });
    }
    const paidMeanwhile = [one({ ...first, status: 'pending' }), list(first), one(first)];
    expect(await verifyWith(...paidMeanwhile)).to.include({ state: 'paid' });
  });

  it('are unpaid while one is pending, unknown with an unknown status, else retrying', async () => {
    const pending = { id: 14, status: 'pending' };
    const lostCard = { id: 14, status: 'failed', processor_response: 'Lost card' };
    const rows: [others: Fields[], expected: object][] = [
      [[pending], { state: 'unpaid', status: 'pending', failureMessage: null }],
      [[{ id: 15, status: 'frozen' }, pending], { state: 'unknown', status: 'frozen' }],
      [[lostCard], { state: 'retrying', failureMessage: 'Insufficient funds' }],
    ];
    for (const [others, expected] of rows)
      expect(await verifyWith(one(failed), list(failed, ...others))).to.include(expected);
  });

  it('count no row of the list as money that is not paid when it is read by id', async () => {
    const unpaid = [one(failed), list(failed, first), one({ ...first, status: 'failed' })];
    expect(await verifyWith(...unpaid)).to.deep.include({ state: 'retrying', captures: [] });
  });

  it('are those of the reference alone, also where the list lags behind', async () => {
    const foreign = [
      { ...second, tx_ref: `${reference}0` },
      { ...second, id: 17, tx_ref: null },
    ];
    for (const rows of [
      list(first, ...foreign),
      list(),
      [404, bad('No transactions found')] as Reply,
    ])
      expect((await verifyWith(one(first), rows)).captures).to.have.length(1);
  });

  it('are read from every page', async () => {
    const pages: Reply[] = [[failed], [second]].map((rows) => [200, listed(rows.map(row), 2)]);
    expect((await verifyWith(one(first), ...pages, one(second))).captures).to.have.length(2);
  });

  it('are never returned in part', async () => {
    const both = list(first, second);
    const many = Array.from({ length: 21 }, (_, id) => ({ id: 100 + id }));
    const broken: [replies: Reply[], kind: string][] = [
      [[[503, bad('An error occurred')]], 'unknown'],
      [[[429, bad('Too many requests')]], 'limited'],
      [[[200, listed([row(first), []])]], 'unknown'],
      [[both, [400, noTransaction]], 'unknown'],
      [[both, [500, '']], 'unknown'],
      [[both, one({ id: 18 })], 'unknown'],
      [[list(...many)], 'unknown'],
    ];
    await expectErrors('verify', broken, (replies) => verifyWith(one(first), ...replies));
  });
});
