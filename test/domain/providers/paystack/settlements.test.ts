import { expect } from 'chai';
import { errorOf, onTheWire } from '../wire.ts';
import { account, api, listed, options, transaction } from './given.ts';

const span = { from: new Date('2026-03-02T14:30:00Z'), to: new Date('2026-03-05T09:00:00Z') };
const asked = {
  subaccount: 'none',
  from: '2026-03-02T00:00:00.000Z',
  to: '2026-03-05T09:00:00.000Z',
  perPage: '100',
};
const listCall = (page: number | string = 1) =>
  api()
    .get('/settlement')
    .query({ ...asked, page: String(page) });
const list = (cursor: string | null = null) =>
  account.listSettlements({ ...span, cursor }, options);

const linesCall = (page = 1) =>
  api()
    .get('/settlement/3090024/transactions')
    .query({ perPage: '100', page: String(page) });
const lines = (cursor: string | null = null) =>
  account.listLines({ providerSettlementId: '3090024', cursor }, options);

/** A settlement of ₦10,000 less fees, as a row of the list. */
function settlementRow(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ id: 3090024, domain: 'live', status: 'success', currency: 'NGN', integration: 463433 },
    ...{
      total_amount: 975_000,
      effective_amount: 975_000,
      total_fees: 25_000,
      total_processed: 1_000_000,
      deductions: null,
    },
    ...{ settlement_date: '2026-03-03T00:00:00.000Z', settled_by: null },
    ...{ createdAt: '2026-03-03T01:04:08.000Z', updatedAt: '2026-03-03T08:12:01.000Z' },
    ...overrides,
  };
}

async function readAs(overrides: Record<string, unknown>) {
  listCall().reply(200, listed([settlementRow(overrides)]));
  return (await list()).rows[0]!;
}

describe('Paystack, asked for its settlements', () => {
  onTheWire();

  it("states those of a time, in any state, from the first day's beginning on, and none of a subaccount's", async () => {
    listCall().reply(200, listed([settlementRow()]));
    expect(await list()).to.deep.equal({
      rows: [
        {
          ...{
            providerSettlementId: '3090024',
            state: 'landed',
            status: 'success',
            amountKobo: 975_000,
            deductionsKobo: 0,
          },
          ...{ dueOn: '2026-03-03', landedAt: new Date('2026-03-03T08:12:01Z'), bank: null },
        },
      ],
      next: null,
    });
  });

  const states: [status: unknown, state: string, told: string][] = [
    ['success', 'landed', 'success'],
    [' Success', 'landed', 'success'],
    ['processing', 'pending', 'processing'],
    ['pending', 'pending', 'pending'],
    ['failed', 'failed', 'failed'],
    ['held', 'unknown', 'held'],
    ['constructor', 'unknown', 'constructor'],
    [null, 'unknown', ''],
  ];
  for (const [status, state, told] of states) {
    it(`reads ${JSON.stringify(status)} as ${state}, and dates the landing of one that has landed alone`, async () => {
      const settlement = await readAs({ status });
      expect(settlement).to.include({ state, status: told, dueOn: '2026-03-03' });
      expect(settlement.landedAt).to.deep.equal(
        state === 'landed' ? new Date('2026-03-03T08:12:01Z') : null,
      );
    });
  }

  const amounts: [
    what: string,
    overrides: Record<string, unknown>,
    amountKobo: number | null,
    deductionsKobo: number | null,
  ][] = [
    [
      'deductions that are stated',
      { effective_amount: 900_000, deductions: 75_000 },
      900_000,
      75_000,
    ],
    [
      'deductions that do not explain all',
      { effective_amount: 899_300, deductions: 75_000 },
      899_300,
      75_000,
    ],
    [
      'digits',
      { total_amount: '975000', effective_amount: '900000', deductions: '75000' },
      900_000,
      75_000,
    ],
    ['none, and nothing missing', { deductions: undefined }, 975_000, 0],
    ['none, and nobody says why less was sent', { effective_amount: 974_300 }, 974_300, null],
    ['none, and only what was sent', { total_amount: null }, 975_000, null],
    [
      'what would be sent, less deductions',
      { effective_amount: null, deductions: 75_000 },
      900_000,
      75_000,
    ],
    [
      'what would be sent, and nobody says what was taken out',
      { effective_amount: undefined },
      null,
      null,
    ],
    ['nothing sent at all', { effective_amount: 0, deductions: 975_000 }, 0, 975_000],
    ['no amounts', { effective_amount: null, total_amount: '' }, null, null],
  ];
  for (const [what, overrides, amountKobo, deductionsKobo] of amounts) {
    it(`reads ${what}`, async () => {
      expect(await readAs(overrides)).to.include({ amountKobo, deductionsKobo });
    });
  }

  const noAmounts: Record<string, unknown>[] = [
    { effective_amount: 9750.5 },
    { effective_amount: -1 },
    { effective_amount: 'much' },
    { deductions: {} },
    { effective_amount: null, deductions: 975_001 },
  ];
  for (const overrides of noAmounts) {
    it(`guesses at no amount: ${JSON.stringify(overrides)}`, async () => {
      expect(await errorOf(readAs(overrides))).to.include({
        kind: 'unknown',
        stage: 'settlements',
      });
    });
  }

  it('reads the day it is meant for, which is also the time of one that was sent at nobody knows what hour', async () => {
    const midnight = new Date('2026-03-03T00:00:00Z');
    expect(await readAs({ updatedAt: null })).to.deep.include({
      dueOn: '2026-03-03',
      landedAt: midnight,
    });
    expect(await readAs({ updatedAt: 'soon', settlement_date: '2026-03-03' })).to.deep.include({
      dueOn: '2026-03-03',
      landedAt: midnight,
    });
    expect(await readAs({ updatedAt: null, settlement_date: null })).to.include({
      dueOn: null,
      landedAt: null,
    });
    for (const settlement_date of [null, '', 'soon', '2026-02-31T00:00:00.000Z', 7]) {
      expect((await readAs({ settlement_date })).dueOn, String(settlement_date)).to.equal(null);
    }
  });

  it('leaves out what is in another currency, and takes what names none for naira', async () => {
    const rows = [
      { id: 1, currency: 'USD', effective_amount: 'odd' },
      { id: 2, currency: 'ngn' },
      { id: 3, currency: null },
    ];
    listCall().reply(200, listed(rows.map(settlementRow)));
    expect(
      (await list()).rows.map(({ providerSettlementId }) => providerSettlementId),
    ).to.deep.equal(['2', '3']);
  });

  it('keeps ids of 64 bits whole', async () => {
    const answer = JSON.stringify(listed([settlementRow({ id: 'ID' })])).replace(
      '"ID"',
      '18446744073709551615',
    );
    listCall().reply(200, answer, { 'content-type': 'application/json' });
    expect((await list()).rows[0]!.providerSettlementId).to.equal('18446744073709551615');
  });

  it('names no settlement of a payment, and reads none from a notification', async () => {
    expect(await account.findSettlement('4099260516', options)).to.equal(undefined);
    expect(account.readSettlement('{"event":"charge.success","data":{"id":1}}')).to.equal(
      undefined,
    );
  });
});

describe("Paystack's lists of settlements and their lines", () => {
  onTheWire();
  const walks = [
    {
      what: 'settlements',
      stage: 'settlements',
      call: listCall,
      walk: list,
      row: (id: number) => settlementRow({ id }),
    },
    {
      what: 'lines',
      stage: 'settlement lines',
      call: linesCall,
      walk: lines,
      row: (id: number) => transaction({ id }),
    },
  ];
  for (const { what, stage, call, walk, row } of walks) {
    it(`are walked page by page, one call each: ${what}`, async () => {
      call(1).reply(200, listed([row(3), row(2)], 2));
      const first = await walk();
      expect([first.rows.length, first.next]).to.deep.equal([2, '2']);
      call(2).reply(200, listed([row(2), row(1)], 2));
      const second = await walk(first.next);
      expect([second.rows.length, second.next]).to.deep.equal([2, null]);
    });

    it(`end with an empty page where the number of pages is not said: ${what}`, async () => {
      call(1).reply(200, { ...listed([row(1)]), meta: undefined });
      expect((await walk()).next).to.equal('2');
      call(2).reply(200, { ...listed([]), meta: { pageCount: '9' } });
      expect(await walk('2')).to.deep.equal({ rows: [], next: null });
    });

    it(`are not begun again by a cursor that is none: ${what}`, async () => {
      for (const cursor of ['', '0', '-1', '01', '1.5', 'next', '1&page=2', '1000000']) {
        expect(await errorOf(walk(cursor)), cursor).to.include({ kind: 'unknown', stage });
      }
    });

    const answers: [of: string, status: number, body: object | string, kind: string][] = [
      [
        'what it does not know',
        404,
        { status: false, message: 'Settlement not found', code: 'settlement_not_found' },
        'refused',
      ],
      ['success that is none', 200, { ...listed([]), status: false }, 'unknown'],
      ['no list', 200, { ...listed([]), data: null }, 'unknown'],
      ['a list of something else', 200, { ...listed([]), data: [7] }, 'unknown'],
      ['a row without an id', 200, listed([{ ...row(1), id: null }]), 'unknown'],
      ['a row whose id is no number', 200, listed([{ ...row(1), id: 'x' }]), 'unknown'],
    ];
    for (const [of, status, body, kind] of answers) {
      it(`are ${kind} with ${of}, never empty: ${what}`, async () => {
        call(1).reply(status, body as object);
        expect(await errorOf(walk())).to.include({ kind, stage });
      });
    }
  }
});
