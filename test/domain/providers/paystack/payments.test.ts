import { expect } from 'chai';
import { errorOf, onTheWire } from '../wire.ts';
import { account, api, listed, options, reference, transaction, verifyCall } from './given.ts';

const span = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') };
/** Two days earlier: what is paid in the span may have been begun before it. */
const asked = { from: '2026-02-28T00:00:00.000Z', to: '2026-03-03T00:00:00.000Z', perPage: '100' };
const listCall = (page = 1) =>
  api()
    .get('/transaction')
    .query({ ...asked, page: String(page) });
const list = (cursor: string | null = null) => account.listPayments({ ...span, cursor }, options);
const ids = async () => (await list()).rows.map(({ providerPaymentId }) => providerPaymentId);

describe('Paystack, asked for the payments of a time', () => {
  onTheWire();

  it('states them as it does when it is asked for one', async () => {
    for (const overrides of [
      {},
      { amount: 40_333, fees: 10_283, requested_amount: 30_050 },
      { fees: null, channel: 'bank_transfer' },
    ]) {
      verifyCall().reply(200, {
        status: true,
        message: 'Verification successful',
        data: transaction(overrides),
      });
      listCall().reply(200, listed([transaction(overrides)]));
      expect((await list()).rows).to.deep.equal(
        (await account.verify(reference, options)).captures,
      );
    }
  });

  it('states when each was paid and when it was begun', async () => {
    listCall().reply(
      200,
      listed([transaction({ paid_at: undefined, paidAt: '2026-03-02T09:15:02.000Z' })]),
    );
    expect((await list()).rows[0]).to.deep.include({
      createdAt: new Date('2026-03-02T09:14:24Z'),
      capturedAt: new Date('2026-03-02T09:15:02Z'),
    });
  });

  it('names what was taken, whatever became of it since, and nothing that was not', async () => {
    const statuses = ['success', 'Reversed', 'reversal pending', 'reversal-pending'];
    const others = [
      'abandoned',
      'ongoing',
      'pending',
      'processing',
      'queued',
      'failed',
      'unheard of',
      null,
    ];
    listCall().reply(
      200,
      listed([...statuses, ...others].map((status, id) => transaction({ id: id + 1, status }))),
    );
    expect(await ids()).to.deep.equal(['1', '2', '3', '4']);
  });

  it('is not disturbed by what is odd about a payment that was not taken', async () => {
    listCall().reply(
      200,
      listed([transaction({ id: 1, status: 'failed', amount: null }), transaction({ id: 2 })]),
    );
    expect(await ids()).to.deep.equal(['2']);
  });

  it("names the merchant's other payments too", async () => {
    listCall().reply(
      200,
      listed([
        transaction({ reference: 'T685312322670591', currency: 'USD' }),
        transaction({ reference: null }),
      ]),
    );
    expect(
      (await list()).rows.map(({ reference, currency }) => [reference, currency]),
    ).to.deep.equal([
      ['T685312322670591', 'USD'],
      ['', 'NGN'],
    ]);
  });

  it('is walked page by page, and goes on past a page on which nothing was taken', async () => {
    listCall().reply(200, listed([transaction({ status: 'abandoned' })], 2));
    expect(await list()).to.deep.equal({ rows: [], next: '2' });
    listCall(2).reply(200, listed([transaction()], 2));
    const { rows, next } = await list('2');
    expect([rows.length, next]).to.deep.equal([1, null]);
  });

  it('ends with an empty page where the number of pages is not said', async () => {
    listCall().reply(200, { ...listed([transaction()]), meta: {} });
    expect((await list()).next).to.equal('2');
    listCall(2).reply(200, { ...listed([]), meta: undefined });
    expect(await list('2')).to.deep.equal({ rows: [], next: null });
  });

  it('is not begun again by a cursor that is none', async () => {
    for (const cursor of ['', '0', '1e3', '２']) {
      expect(await errorOf(list(cursor)), cursor).to.include({
        kind: 'unknown',
        stage: 'payments',
      });
    }
  });

  const odd: [what: string, status: number, body: object | string, kind: string][] = [
    ['no list', 200, { ...listed([]), data: {} }, 'unknown'],
    ['a payment without an id', 200, listed([transaction({ id: undefined })]), 'unknown'],
    [
      'a payment of nobody knows how much',
      200,
      listed([transaction({ amount: '1.5' })]),
      'unknown',
    ],
  ];
  for (const [what, status, body, kind] of odd) {
    it(`never takes ${what} for none`, async () => {
      listCall().reply(status, body as object);
      expect(await errorOf(list())).to.include({ kind, stage: 'payments' });
    });
  }
});
