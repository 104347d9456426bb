import { expect } from 'chai';
import type { Provider } from '../../../../domain/providers/provider.ts';
import { errorOf, useNock } from '../calls.ts';
import {
  api,
  loggedIn,
  no,
  ok,
  opened,
  options,
  reference,
  springPage,
  transactionReference,
} from './examples.ts';

const span = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') };
/** A day earlier, in ms since 1970: what is paid in the span may have been begun before it. */
const [from, to] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 3)];
const searchCall = (page: number) =>
  api().get(`/api/v1/transactions/search?from=${from}&to=${to}&page=${page}&size=100`);
const list = (account: Provider, cursor: string | null = null) =>
  account.listPayments({ ...span, cursor }, options);

/**
 * A row of the search with every field that any source shows: amounts are numbers, dates have an
 * offset.
 */
function row(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{
      customerDTO: { email: 'ada@example.com', name: 'Ada', merchantCode: 'ALJKHDALASD' },
      paymentMethod: 'CARD',
    },
    ...{
      createdOn: '2026-03-02T09:14:27.000+0000',
      amount: 5000.5,
      flagged: false,
      fee: 75.01,
      currencyCode: 'NGN',
    },
    ...{
      completedOn: '2026-03-02T09:15:02.000+0000',
      paymentDescription: 'Two tickets',
      paymentStatus: 'PAID',
    },
    ...{
      transactionReference,
      paymentReference: reference,
      payableAmount: 5000.5,
      amountPaid: 5000.5,
      settlementAmount: 4925.49,
    },
    ...{ merchantName: 'Ada Stores', completed: true, ...overrides },
  };
}

async function readAs(overrides: Record<string, unknown>) {
  const account = loggedIn();
  searchCall(0).reply(200, springPage([row(overrides)]));
  return (await list(account)).rows[0]!;
}

describe('Monnify, asked for the payments of a time', () => {
  useNock();

  it('states what was taken, under which reference and when', async () => {
    expect(await readAs({})).to.deep.equal({
      ...{
        providerPaymentId: transactionReference,
        reference,
        amountKobo: 500_050,
        feeKobo: 7_501,
        currency: 'NGN',
        channel: 'card',
      },
      ...{ mode: null, createdAt: null, capturedAt: new Date('2026-03-02T09:15:02Z') },
    });
  });

  it('names what was taken, whatever became of it since, and nothing that was not', async () => {
    const account = loggedIn();
    const statuses = ['PAID', 'OVERPAID', 'partially_paid', 'UNDERPAID', 'REVERSED', 'REFUNDED'];
    const others = ['PENDING', 'FAILED', 'ABANDONED', 'CANCELLED', 'EXPIRED', 'UNHEARD_OF', null];
    const rows = [...statuses, ...others].map((paymentStatus, id) =>
      row({ transactionReference: `MNFY|${id}`, paymentStatus }),
    );
    searchCall(0).reply(200, springPage(rows));
    expect(
      (await list(account)).rows.map(({ providerPaymentId }) => providerPaymentId),
    ).to.deep.equal(statuses.map((_, id) => `MNFY|${id}`));
  });

  it('is not disturbed by what is odd about a payment that was not taken', async () => {
    const account = loggedIn();
    searchCall(0).reply(
      200,
      springPage([row({ paymentStatus: 'EXPIRED', amountPaid: 0, completedOn: null }), row()]),
    );
    expect((await list(account)).rows).to.have.length(1);
  });

  const amounts: [
    what: string,
    overrides: Record<string, unknown>,
    amountKobo: number,
    feeKobo: number | null,
  ][] = [
    ['text', { amountPaid: '5000.50', settlementAmount: '4925.49' }, 500_050, 7_501],
    ['whole naira', { amountPaid: 5000, settlementAmount: 4925 }, 500_000, 7_500],
    [
      'more than was asked',
      { paymentStatus: 'OVERPAID', amountPaid: 6000, settlementAmount: 5910 },
      600_000,
      9_000,
    ],
    [
      'less than was asked',
      { paymentStatus: 'PARTIALLY_PAID', amountPaid: 100, settlementAmount: 98.5 },
      10_000,
      150,
    ],
    [
      'what was to be paid, of one paid in full',
      { amountPaid: null, settlementAmount: undefined },
      500_050,
      7_501,
    ],
    [
      'the same of one sent back',
      { paymentStatus: 'REVERSED', amountPaid: undefined, settlementAmount: undefined },
      500_050,
      7_501,
    ],
    [
      'one sent back, of which nothing is left to settle',
      { paymentStatus: 'REVERSED', settlementAmount: 0 },
      500_050,
      null,
    ],
    ['a fee of parts of a kobo', { settlementAmount: null, fee: '75.0075' }, 500_050, 7_501],
    ['a fee of nothing as none stated', { settlementAmount: null, fee: 0 }, 500_050, null],
    ['no fee', { settlementAmount: null, fee: undefined }, 500_050, null],
    ['a fee above the payment as none', { settlementAmount: null, fee: 5000.51 }, 500_050, null],
    [
      "a part of the fee as none: another provider's stands beside it",
      { settlementAmount: null, providerAmount: 20 },
      500_050,
      null,
    ],
  ];
  for (const [what, overrides, amountKobo, feeKobo] of amounts) {
    it(`reads ${what}`, async () => {
      expect(await readAs(overrides)).to.include({ amountKobo, feeKobo });
    });
  }

  it('reads channels in our words, and a row without one', async () => {
    expect(await readAs({ paymentMethod: 'ACCOUNT_TRANSFER' })).to.include({
      channel: 'bank_transfer',
    });
    expect(await readAs({ paymentMethod: undefined })).to.include({ channel: 'other' });
  });

  it("names the merchant's other payments too, and one that was paid nobody knows when", async () => {
    expect(await readAs({ paymentReference: null, completedOn: null })).to.include({
      reference: '',
      capturedAt: null,
    });
  });

  it('is walked page by page, and goes on past a page on which nothing was taken', async () => {
    const account = loggedIn();
    searchCall(0).reply(200, springPage([row({ paymentStatus: 'PENDING' })], false));
    expect(await list(account)).to.deep.equal({ rows: [], next: '1' });
    searchCall(1).reply(200, springPage([row()], true));
    const { rows, next } = await list(account, '1');
    expect([rows.length, next]).to.deep.equal([1, null]);
  });

  it('ends with an empty page where no page says it is the last', async () => {
    const account = loggedIn();
    searchCall(0).reply(200, springPage([row()], null));
    expect((await list(account)).next).to.equal('1');
    searchCall(1).reply(200, springPage([], null));
    expect(await list(account, '1')).to.deep.equal({ rows: [], next: null });
  });

  it('is not begun again by a cursor that is none', async () => {
    for (const cursor of ['', '0', '1e3']) {
      expect(await errorOf(list(opened(), cursor)), cursor).to.include({
        kind: 'unknown',
        stage: 'payments',
      });
    }
  });

  const odd: [what: string, status: number, body: object | string, kind: string][] = [
    ['a no', 403, no('Forbidden'), 'refused'],
    ['no list', 200, ok({ last: true }), 'unknown'],
    ['a list of something else', 200, springPage([[]]), 'unknown'],
    ['a payment without an id', 200, springPage([row({ transactionReference: '' })]), 'unknown'],
    [
      'a payment of nobody knows how much',
      200,
      springPage([row({ amountPaid: null, payableAmount: null })]),
      'unknown',
    ],
    [
      'too little of nobody knows how much',
      200,
      springPage([row({ paymentStatus: 'PARTIALLY_PAID', amountPaid: null })]),
      'unknown',
    ],
    [
      'too much of nobody knows how much',
      200,
      springPage([row({ paymentStatus: 'OVERPAID', amountPaid: null })]),
      'unknown',
    ],
  ];
  for (const [what, status, body, kind] of odd) {
    it(`never takes ${what} for none`, async () => {
      const account = loggedIn();
      searchCall(0).reply(status, body as object);
      expect(await errorOf(list(account))).to.include({ kind, stage: 'payments' });
    });
  }
});
