import { expect } from 'chai';
import type { Row } from '../../../domain/providers/adapter/read.ts';
import { errorOf, expectStates, expectUnknown, type Reply } from './calls.ts';
import { options } from './examples.ts';
import * as flutterwave from './flutterwave/examples.ts';
import * as paystack from './paystack/examples.ts';
import type { AccountWithReplies } from './replies.ts';

interface Settlements {
  provider: string;
  accountAt(...replies: Reply[]): AccountWithReplies;
  listed(rows: object[]): object;
  settlement(fields?: Row): Row;
  /** What is asked for the time from half past two on 2 March to nine on 5 March. */
  request: string;
  whole: object;
  states: Record<string, string[]>;
  underWay: string;
  amounts: [fields: Row, amountKobo: number | null, deductionsKobo: number | null][];
  unclear: [fields: Row, why: RegExp][];
  days: [fields: Row, dueOn: string | null, landedAt: string | null][];
}

const span = {
  ...{ from: new Date('2026-03-02T14:30:00Z'), to: new Date('2026-03-05T09:00:00Z') },
  cursor: null,
};

const atPaystack = (total_amount: unknown, effective_amount: unknown, deductions: unknown) => ({
  ...{ total_amount, effective_amount, deductions },
});
const notWhole = /^an amount is not whole kobo: /;
const midnight = '2026-03-03T00:00:00.000Z';
const lists: Settlements[] = [
  {
    ...{ provider: 'Paystack', accountAt: paystack.accountAt, listed: paystack.listed },
    settlement: (fields = {}) => ({
      ...{ id: 3090024, domain: 'live', status: 'success', currency: 'NGN', integration: 463433 },
      ...{ total_amount: 975_000, effective_amount: 975_000, deductions: null },
      ...{ total_fees: 25_000, total_processed: 1_000_000 },
      ...{ settlement_date: '2026-03-03T00:00:00.000Z', settled_by: null },
      ...{ createdAt: '2026-03-03T01:04:08.000Z', updatedAt: '2026-03-03T08:12:01.000Z' },
      ...fields,
    }),
    request:
      '/settlement?subaccount=none&from=2026-03-02T00%3A00%3A00.000Z&to=2026-03-05T09%3A00%3A00.000Z&perPage=100&page=1',
    whole: {
      ...{ providerSettlementId: '3090024', state: 'landed', status: 'success', bank: null },
      ...{ amountKobo: 975_000, deductionsKobo: 0, dueOn: '2026-03-03' },
      landedAt: new Date('2026-03-03T08:12:01Z'),
    },
    states: {
      ...{ landed: ['success', ' Success'], pending: ['processing', 'pending'] },
      ...{ failed: ['failed'], unknown: ['held'] },
    },
    underWay: 'processing',
    amounts: [
      [atPaystack(975_000, 900_000, 75_000), 900_000, 75_000],
      [atPaystack(975_000, 899_300, 75_000), 899_300, 75_000],
      [atPaystack('975000', '900000', '75000'), 900_000, 75_000],
      [atPaystack(975_000, 975_000, undefined), 975_000, 0],
      [atPaystack(975_000, 974_300, null), 974_300, null],
      [atPaystack(null, 975_000, null), 975_000, null],
      [atPaystack(975_000, null, 75_000), 900_000, 75_000],
      [atPaystack(975_000, undefined, null), null, null],
      [atPaystack(975_000, 0, 975_000), 0, 975_000],
      [atPaystack('', null, null), null, null],
    ],
    unclear: [
      [{ effective_amount: -1 }, notWhole],
      [{ effective_amount: 9750.5 }, notWhole],
      [{ effective_amount: 'much' }, notWhole],
      [{ deductions: {} }, notWhole],
      [{ effective_amount: null, deductions: 975_001 }, notWhole],
    ],
    days: [
      [{ updatedAt: null }, '2026-03-03', midnight],
      [{ settlement_date: '2026-02-31T00:00:00.000Z' }, null, '2026-03-03T08:12:01.000Z'],
      [{ updatedAt: 'soon', settlement_date: '2026-03-03' }, '2026-03-03', midnight],
      ...[null, '', 'soon', 7].map((settlement_date): Settlements['days'][number] => [
        ...([{ updatedAt: null, settlement_date }, null, null] as const),
      ]),
    ],
  },
  {
    ...{ provider: 'Flutterwave', accountAt: flutterwave.accountAt, listed: flutterwave.listed },
    settlement: (fields = {}) => ({
      ...{ id: 41748, account_id: 73362, settlement_account: '0031318432', bank_code: '063' },
      ...{ transaction_date: '2026-03-03T04:00:00.000Z', due_date: '2026-03-04T04:00:00.000Z' },
      ...{ processed_date: null, status: 'completed', is_local: true, currency: 'NGN' },
      ...{ gross_amount: 122000, app_fee: 2108, merchant_fee: 0, chargeback: 0, refund: 0 },
      ...{ stampduty_charge: 0, net_amount: 119892, transaction_count: 8, destination: 'account' },
      ...{ meta: [908260, 908790], refund_meta: null, flag_message: null, ...fields },
    }),
    request: '/settlements?from=2026-02-26&to=2026-03-06&page=1',
    whole: {
      ...{ providerSettlementId: '41748', state: 'landed', status: 'completed' },
      ...{ amountKobo: 11_989_200, deductionsKobo: 0, dueOn: '2026-03-04' },
      landedAt: new Date('2026-03-04T04:00:00Z'),
      bank: { name: null, accountLast4: '8432' },
    },
    states: {
      ...{ landed: ['completed', 'Completed '], pending: ['pending'] },
      ...{ failed: ['failed'], unknown: ['flagged'] },
    },
    underWay: 'pending',
    amounts: [
      [{ net_amount: 9886.05, refund: 20_114.35, chargeback: '0.15' }, 988_605, 2_011_450],
      [{ net_amount: 90_071_992_547.41 }, 9_007_199_254_741, 0],
      [{ net_amount: null, refund: null, chargeback: undefined }, null, null],
      [{ refund: null, chargeback: 7 }, 11_989_200, 700],
      [{ net_amount: -500.5, refund: 900 }, 0, 90_000],
    ],
    unclear: [
      [{ net_amount: 'much' }, /^net_amount is no amount: much$/],
      [{ refund: -5 }, /^refund is no amount: -5$/],
    ],
    days: [
      [
        { due_date: '2026-03-03T23:00:00.000Z', processed_date: '2026-03-04T09:30:00.000Z' },
        ...(['2026-03-04', '2026-03-04T09:30:00.000Z'] as const),
      ],
      [{ due_date: null }, null, null],
    ],
  },
];

for (const list of lists) {
  const { provider, accountAt, listed, settlement, request, whole, states } = list;
  const rowsOf = async (...fields: Row[]) => {
    const { account } = accountAt([200, listed(fields.map(settlement))]);
    return (await account.listSettlements(span, options)).rows;
  };
  const readAs = async (fields: Row) => (await rowsOf(fields))[0]!;

  describe(`Listing the settlements of ${provider}`, () => {
    it('asks for whole days around the period, and reads each with all its fields', async () => {
      const { account, requests } = accountAt([200, listed([settlement()])]);
      expect(await account.listSettlements(span, options)).to.deep.equal({
        ...{ rows: [whole], next: null },
      });
      expect(requests).to.deep.equal([`GET ${request}`]);
    });

    it('has one of our states for each documented status; only a landed one has a time', async () => {
      await expectStates(states, async (status) => {
        const read = await readAs({ status });
        expect(read.landedAt !== null, `${status}`).to.equal(read.state === 'landed');
        return read;
      });
    });

    it('reads what was sent and deducted, and explains no difference that is not stated', async () => {
      for (const [fields, amountKobo, deductionsKobo] of list.amounts)
        expect(await readAs(fields), JSON.stringify(fields)).to.include({
          ...{ amountKobo, deductionsKobo },
        });
      expect((await errorOf(readAs({ id: 'x' }))).stage).to.equal('list settlements');
    });

    it('says why it cannot read what landed, and reads the other settlements', async () => {
      for (const [fields, why] of list.unclear) {
        const [unclear, other] = await rowsOf(fields, { id: 2 });
        expect(unclear, JSON.stringify(fields)).to.include({
          ...{ state: 'unclear', amountKobo: null, deductionsKobo: null },
        });
        expect(unclear!.unclear).to.match(why);
        expect(other).to.include({ providerSettlementId: '2', state: 'landed' });
      }
      const pending = await readAs({ ...list.unclear[0]![0], status: list.underWay });
      expect(pending).to.include({ state: 'pending', amountKobo: null });
    });

    it('landed when it says so, or was due; its day is the day in Lagos', async () => {
      for (const [fields, dueOn, landedAt] of list.days) {
        const read = await readAs(fields);
        const time = read.landedAt?.toISOString() ?? null;
        expect([read.dueOn, time], JSON.stringify(fields)).to.deep.equal([dueOn, landedAt]);
      }
    });

    it('omits other currencies; one without a currency is in naira', async () => {
      const rows = await rowsOf(
        { id: 1, currency: 'USD' },
        { id: 2, currency: 'ngn' },
        { id: 3, currency: null },
      );
      expect(rows.map((row) => row.providerSettlementId)).to.deep.equal(['2', '3']);
    });
  });
}

describe('Listing the settlements of Flutterwave alone', () => {
  const { settlement } = lists[1]!;
  const listWith = (reply: Reply) =>
    flutterwave.accountAt(reply).account.listSettlements(span, options);
  const listOf = (...fields: Row[]): Reply => [200, flutterwave.listed(fields.map(settlement))];

  it('has a bank only where money goes to one', async () => {
    const { rows } = await listWith(
      listOf({ id: 1, destination: 'autowallet' }, { id: 2, settlement_account: null }),
    );
    expect(rows.map(({ bank }) => bank)).to.deep.equal([null, { name: null, accountLast4: null }]);
  });

  it('keeps every digit of an id, and skips the ids of payments in a row, however many', async () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => 908_260_000_000 + index);
    const [status, body] = listOf({ id: '@', meta: ids }, { id: 2, meta: JSON.stringify(ids) });
    const text = JSON.stringify(body).replace('"@"', '18446744073709551615');
    const read = (await listWith([status, text])).rows.map((row) => row.providerSettlementId);
    expect(read).to.deep.equal(['18446744073709551615', '2']);
  });

  it('leads on from a page of other currencies', async () => {
    const foreign = flutterwave.listed([settlement({ currency: 'USD' })], 2);
    expect(await listWith([200, foreign])).to.deep.equal({ rows: [], next: '2:41748' });
  });

  it('is empty only where Flutterwave says so and sends no rows', async () => {
    const none = [200, 400, 404].map(
      (status): Reply => [...([status, flutterwave.bad('No settlements found')] as const)],
    );
    for (const reply of [[200, flutterwave.listed([], 0)] as Reply, ...none])
      expect(await listWith(reply), JSON.stringify(reply)).to.deep.equal({ rows: [], next: null });
    const [status, listed] = listOf({}) as [number, object];
    const message = '1 listed, no settlement found missing';
    expect((await listWith([status, { ...listed, message }])).rows).to.have.length(1);
  });

  it('is an error where settlements cannot be told apart, or are too many', async () => {
    const odd = [[{ id: null }], [{ id: 1.5 }], Array<Row>(1_001).fill({})];
    await expectUnknown('list settlements', odd, (rows) => listWith(listOf(...rows)));
  });
});
