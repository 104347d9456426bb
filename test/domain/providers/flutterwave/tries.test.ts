import { expect } from 'chai';
import { errorOf, useNock } from '../calls.ts';
import {
  account,
  api,
  bad,
  good,
  listed,
  noTransaction,
  options,
  reference,
  row,
  transaction,
  triesCall,
  verifyCall,
} from './examples.ts';

type Fields = Record<string, unknown>;

/** The answer by reference shows this try; the list has these. */
function shown(fields: Fields, rows: Fields[]) {
  verifyCall().reply(200, good(transaction(fields)));
  triesCall().reply(200, listed(rows.map(row)));
}
const wholeCall = (id: number) => api().get(`/transactions/${id}/verify`);
const whole = (fields: Fields) =>
  wholeCall(fields.id as number).reply(200, good(transaction(fields)));
const verify = () => account.verify(reference, options);

const first = { id: 11, created_at: '2026-03-02T09:00:00.000Z', amount_settled: 4900 };
const second = { id: 12, created_at: '2026-03-02T10:00:00.000Z', amount_settled: 4800 };
const failed = { id: 13, status: 'failed', processor_response: 'Insufficient funds' };

describe('Flutterwave, where a payer tried more than once', () => {
  useNock();

  it('has two captures for two successes, the older first, each with its own evidence', async () => {
    for (const [by, other] of [
      [second, first],
      [first, second],
    ] as const) {
      shown(by, [second, first]);
      whole(other);
      const { state, captures, raw } = await verify();
      expect(state).to.equal('paid');
      expect(
        captures.map(({ providerPaymentId, feeKobo }) => [providerPaymentId, feeKobo]),
      ).to.deep.equal([
        ['11', 10_000],
        ['12', 20_000],
      ]);
      expect(raw.split('\n').map((line) => JSON.parse(line).data.id)).to.deep.equal([
        by.id,
        other.id,
      ]);
    }
  });

  it('finds the success behind a try that failed, or waits, or is called what nobody knows', async () => {
    for (const status of ['failed', 'cancelled', 'pending', 'frozen']) {
      shown({ id: 13, status }, [{ id: 13, status }, first]);
      whole(first);
      const { state, status: told, captures, failureMessage, unknownWords } = await verify();
      expect({ state, told, failureMessage, captures: captures.length }).to.deep.equal({
        ...{ state: 'paid', told: 'successful', failureMessage: null, captures: 1 },
      });
      expect(unknownWords).to.deep.equal(status === 'frozen' ? ['status "frozen"'] : []);
    }
  });

  it('finds money that came between the two questions', async () => {
    shown({ ...first, status: 'pending' }, [first]);
    whole(first);
    expect(await verify()).to.include({ state: 'paid' });
  });

  it('is not over while one try may still become money', async () => {
    shown(failed, [failed, { id: 14, status: 'pending' }]);
    expect(await verify()).to.deep.include({
      state: 'unpaid',
      status: 'pending',
      failureMessage: null,
    });
  });

  it('says that nobody can read it when one try is called what nobody knows', async () => {
    shown(failed, [failed, { id: 14, status: 'frozen' }, { id: 15, status: 'pending' }]);
    expect(await verify()).to.deep.include({ state: 'unknown', status: 'frozen' });
  });

  it('failed when all of them did, for the reason of the one it shows', async () => {
    shown(failed, [failed, { id: 14, status: 'failed', processor_response: 'Lost card' }]);
    expect(await verify()).to.deep.include({
      state: 'retrying',
      captures: [],
      failureMessage: 'Insufficient funds',
    });
  });

  it('counts no row as money that is none when it is read whole', async () => {
    shown(failed, [failed, first]);
    whole({ ...first, status: 'failed' });
    expect(await verify()).to.deep.include({ state: 'retrying', captures: [] });
  });

  it('leaves out rows of other references', async () => {
    shown(first, [
      first,
      { ...second, tx_ref: `${reference}0` },
      { ...second, id: 17, tx_ref: null },
    ]);
    expect((await verify()).captures).to.have.length(1);
  });

  it('finds a success on a later page, though rows moved on to it', async () => {
    verifyCall().reply(200, good(transaction(first)));
    triesCall().reply(200, listed([failed, { ...failed, id: 14 }].map(row), 2));
    triesCall(2).reply(200, listed([{ ...failed, id: 14 }, second].map(row), 2));
    whole(second);
    expect((await verify()).captures).to.have.length(2);
  });

  it('trusts the answer by reference where the list is behind', async () => {
    shown(first, []);
    expect((await verify()).captures).to.have.length(1);
    verifyCall().reply(200, good(transaction(first)));
    triesCall().reply(404, bad('No transactions found'));
    expect((await verify()).captures).to.have.length(1);
  });

  const holes: [what: string, kind: string, prepare: () => void][] = [
    [
      'the list fails',
      'unknown',
      () => triesCall().reply(503, bad('An error occurred. Please contact support')),
    ],
    ['the list is limited', 'limited', () => triesCall().reply(429, bad('Too many requests'))],
    ['the list is none', 'unknown', () => triesCall().reply(200, good({}))],
    ['a row is none', 'unknown', () => triesCall().reply(200, listed([row(first), [] as object]))],
    [
      'a row has no id',
      'unknown',
      () => triesCall().reply(200, listed([row({ ...second, id: null })])),
    ],
    ['a success is not there when read whole', 'unknown', () => notWhole(400, noTransaction)],
    ['reading a success whole fails', 'unknown', () => notWhole(500, '')],
    [
      'reading a success whole gives another',
      'unknown',
      () => notWhole(200, good(transaction({ id: 18 }))),
    ],
    [
      'there are more successes than anybody pays',
      'unknown',
      () => triesCall().reply(200, listed(many(21))),
    ],
  ];
  const pageOf = (page: number, of: number) =>
    triesCall(page).reply(200, listed([row({ ...failed, id: 100 + page })], of));
  const many = (count: number) => Array.from({ length: count }, (_, n) => row({ id: 100 + n }));
  const notWhole = (status: number, body: object | string) => {
    triesCall().reply(200, listed([row(first), row(second)]));
    wholeCall(12).reply(status, body as object);
  };
  for (const [what, kind, prepare] of holes) {
    it(`tells nothing rather than half of it where ${what}`, async () => {
      verifyCall().reply(200, good(transaction(first)));
      prepare();
      expect(await errorOf(verify())).to.include({ kind, stage: 'verify' });
    });
  }

  it('sees that pages do not move on, and where it stops reading', async () => {
    verifyCall().reply(200, good(transaction(first)));
    for (const page of [1, 2]) triesCall(page).reply(200, listed([row(first)], 3));
    expect((await errorOf(verify())).message).to.equal('page 2 of 3 holds nothing new');
    verifyCall().reply(200, good(transaction(first)));
    for (let page = 1; page <= 50; page++) pageOf(page, 51);
    expect((await errorOf(verify())).message).to.equal('the list has more than 50 pages');
  });

  it('reads on until a page brings nothing new where the number of pages is not said', async () => {
    verifyCall().reply(200, good(transaction(first)));
    triesCall().reply(200, good([row(first)]));
    triesCall(2).reply(200, { ...good([row(second)]), meta: {} });
    triesCall(3).reply(200, good([]));
    whole(second);
    expect((await verify()).captures).to.have.length(2);
  });
});
