import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { Row } from '../../../domain/providers/adapter/read.ts';
import { flutterwave as atFlutterwave } from '../../../domain/providers/flutterwave/provider.ts';
import { errorOf, expectErrors, expectUnknown, type Reply } from './calls.ts';
import { options, reference } from './examples.ts';
import * as flutterwave from './flutterwave/examples.ts';
import * as monnify from './monnify/examples.ts';
import * as paystack from './paystack/examples.ts';
import type { AccountWithReplies } from './replies.ts';
import { serve } from './serving.ts';

const lineOfFlutterwave = (fields: Row = {}): Row => ({
  ...{ customer_email: 'ada@example.com', flw_ref: 'YemiDesola/FLW275407301', tx_ref: reference },
  ...{ id: 288200108, charged_amount: 5000.5, app_fee: 75.26, merchant_fee: 0 },
  ...{ stampduty_charge: 50, settlement_amount: 4875.24, status: 'successful', currency: 'NGN' },
  ...{ payment_entity: 'card', transaction_date: '2026-03-02T09:14:24.000Z', rrn: null },
  ...{ card_locale: 'LOCAL', subaccount_settlement: 0, ...fields },
});

/** A settlement by itself: `meta` is text here, and `is_local` a number. */
const detail = (transactions: unknown, fields: Row = {}) => ({
  ...flutterwave.good({
    ...{ id: 41748, status: 'completed', is_local: 1, net_amount: 119892 },
    ...{ meta: '[908260,908790]', ...fields, transactions },
  }),
});

interface Lines {
  provider: string;
  accountAt(...replies: Reply[]): AccountWithReplies;
  line(fields?: Row): Row;
  reply(lines: Row[]): Reply;
  request: [providerSettlementId: string, path: string];
  id: [field: string, providerPaymentId: string];
  reference: string;
  /** With our reference, where a line states no other. */
  amounts: [fields: Row, amountKobo: number, feeKobo: number | null][];
  unclear: Row[];
}

const unstated = { stampduty_charge: null, merchant_fee: undefined };
const lists: Lines[] = [
  {
    ...{ provider: 'Paystack', accountAt: paystack.accountAt, line: paystack.transaction },
    reply: (lines) => [200, paystack.listed(lines)],
    request: ['a/b', '/settlement/a%2Fb/transactions?perPage=100&page=1'],
    ...{ id: ['id', '4099260516'], reference: 'reference' },
    amounts: [
      [{}, 500_000, 17_500],
      [{ amount: 40_333, fees: 10_283, requested_amount: 30_050 }, 30_050, 0],
      [{ fees: null }, 500_000, null],
      ...['reversed', 'disputed', null].map((status): Lines['amounts'][number] => [
        ...([{ status }, 500_000, 17_500] as const),
      ]),
    ],
    unclear: [{ amount: null }, { amount: '5000.50' }, { currency: 'USD' }],
  },
  {
    ...{ provider: 'Flutterwave', accountAt: flutterwave.accountAt, line: lineOfFlutterwave },
    reply: (lines) => [200, detail(lines)],
    request: ['41748', '/settlements/41748'],
    ...{ id: ['id', '288200108'], reference: 'tx_ref' },
    amounts: [
      [{}, 500_050, 12_526],
      [{ charged_amount: 5070, app_fee: 70, settlement_amount: 5000 }, 507_000, 7_000],
      [{ charged_amount: 5000, app_fee: 1, settlement_amount: 4999.98 }, 500_000, 2],
      [{ charged_amount: '5000.50', settlement_amount: '4875.24' }, 500_050, 12_526],
      [{ charged_amount: 2500, settlement_amount: 2462.375 }, 250_000, 3_762],
      [{ charged_amount: 5000, settlement_amount: 0 }, 500_000, 500_000],
      [{ settlement_amount: null, merchant_fee: 0.04 }, 500_050, 12_530],
      [{ settlement_amount: '', ...unstated }, 500_050, 7_526],
      [{ settlement_amount: undefined, app_fee: null }, 500_050, null],
      [{ currency: null }, 500_050, 12_526],
    ],
    unclear: [
      ...[null, -1, 'much', true].map((charged_amount) => ({ charged_amount })),
      ...['much', -1, 5000.51].map((settlement_amount) => ({ settlement_amount })),
      { currency: 'USD' },
    ],
  },
  {
    ...{ provider: 'Monnify', accountAt: monnify.accountAt, line: monnify.transaction },
    reply: (lines) => [200, monnify.springPage(lines)],
    request: [
      'STL|1 /',
      '/api/v1/transactions/find-by-settlement-reference?reference=STL%7C1+%2F&page=0&size=100',
    ],
    id: ['transactionReference', monnify.transactionReference],
    reference: 'paymentReference',
    amounts: [
      [{}, 500_050, 7_501],
      [{ paymentStatus: 'REVERSED', settlementAmount: '0.00' }, 500_050, null],
      [{ paymentStatus: 'CHARGED_BACK' }, 500_050, 7_501],
    ],
    unclear: [
      ...[null, '0.00', '100.005'].map((amountPaid) => ({ amountPaid })),
      { currency: 'USD' },
    ],
  },
];

for (const { provider, accountAt, line, reply, request, id, unclear, ...list } of lists) {
  describe(`Listing the lines of a settlement of ${provider}`, () => {
    const linesOf = (...lines: Row[]) => {
      const { account, requests } = accountAt(reply(lines.map(line)));
      const query = { providerSettlementId: request[0], cursor: null };
      return { page: account.listLines(query, options), requests };
    };

    it('reads a line as a capture, whatever its status and reference', async () => {
      const fields = list.amounts.map(([row]) => row);
      const named = ['T685312322670591', null].map((own) => ({ [list.reference]: own }));
      const { page, requests } = linesOf(...fields, ...named);
      const [providerPaymentId, [, amountKobo, feeKobo]] = [id[1], list.amounts[0]!];
      const line = { providerPaymentId, reference, amountKobo, feeKobo };
      expect(await page).to.deep.equal({
        rows: [
          ...list.amounts.map(([, amountKobo, feeKobo]) => ({ ...line, amountKobo, feeKobo })),
          ...['T685312322670591', ''].map((reference) => ({ ...line, reference })),
        ],
        next: null,
      });
      expect(requests).to.deep.equal([`GET ${request[1]}`]);
      expect(await linesOf().page).to.deep.equal({ rows: [], next: null });
    });

    it('says of a line why its amounts are not clear, and reads the others', async () => {
      for (const fields of unclear)
        for (const own of [reference, 'ORDER-7']) {
          const { rows } = await linesOf({ ...fields, [list.reference]: own }, {}).page;
          expect(rows[0], JSON.stringify(fields)).to.include({
            ...{ reference: own, amountKobo: 0, feeKobo: null },
          });
          expect(rows[0]!.unclear).to.match(
            /^an amount |^a (line|paid payment|payment of a settl)/,
          );
          expect(rows[1]).not.to.have.property('unclear');
        }
    });

    it('fails where lines cannot be told apart', () =>
      expectUnknown(
        'list settlement lines',
        [null, '', {}],
        (none) => linesOf({}, { [id[0]]: none }).page,
      ));
  });
}

const query = (cursor: string | null = null) => ({ providerSettlementId: '41748', cursor });

describe('Listing the lines of a settlement of Flutterwave, which are one answer', () => {
  const lines = (reply: Reply, cursor: string | null = null) =>
    flutterwave.accountAt(reply).account.listLines(query(cursor), options);

  it('keeps every digit of an id, and skips the ids beside the lines in any form', async () => {
    const text = JSON.stringify(detail([lineOfFlutterwave({ id: '@' })]));
    const { rows } = await lines([200, text.replace('"@"', '18446744073709551615')]);
    expect(rows[0]!.providerPaymentId).to.equal('18446744073709551615');
    const long = `[${'908260,'.repeat(500_000)}1]`;
    for (const meta of [[908260, 908790], null, '', long, { id: 1, transactions: [] }])
      expect((await lines([200, detail([lineOfFlutterwave()], { meta })])).rows).to.have.length(1);
  });

  it('fails, and is not empty, after any other answer', async () => {
    const replies: [reply: Reply, kind: string][] = [
      [[404, flutterwave.bad('Settlement not found')], 'refused'],
      [[200, detail(undefined)], 'unknown'],
      [[200, detail({ id: 1 })], 'unknown'],
      [[200, detail([lineOfFlutterwave()], { id: 41749 })], 'unknown'],
    ];
    await expectErrors('list settlement lines', replies, lines);
    const shorter = lines([200, detail([lineOfFlutterwave()])], '10000');
    expect((await errorOf(shorter)).message).to.match(/^the list ends before line 10000/);
  });
});

/** The garbage collector of the engine, which is exposed only on request. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heldBytes(): number {
  collectGarbage();
  collectGarbage(); // frees what the first one finalized
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('A settlement of 100,000 payments at Flutterwave', () => {
  const firstId = 10_000_000_000_000_000n;
  const idsFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, more) => firstId + BigInt(first + more));
  const heldAt = new Map<number, number>();

  /**
   * Some 20 MB, in pieces of a thousand lines. The memory in use is measured near the beginning and
   * near the end.
   */
  function* body() {
    const meta = JSON.stringify(Array(100_000).fill(908_260));
    const [head, tail] = JSON.stringify(detail(['@'], { meta })).split('"@"');
    const line = {
      ...{ flw_ref: 'x'.repeat(100), tx_ref: reference, id: '@' },
      ...{ charged_amount: 5000.5, settlement_amount: 4875.24 },
    };
    const [before, after] = JSON.stringify(line).split('"@"');
    yield head!;
    for (let index = 0; index < 100_000; index += 1_000) {
      if (index === 5_000 || index === 95_000) heldAt.set(index, heldBytes());
      const piece = idsFrom(index, 1_000).map((id) => `${before}${id}${after}`);
      yield (index === 0 ? '' : ',') + piece.join();
    }
    yield tail!;
  }

  it('is read in order, ten thousand lines a page, and never held in memory', async () => {
    await using server = await serve(body);
    const { credentials, clock } = flutterwave;
    const there = atFlutterwave.open({ credentials, baseUrl: server.url, clock, mode: 'live' });
    const pages: [cursor: string | null, firstLine: number, next: string | null][] = [
      [null, 0, '10000'],
      ['10000', 10_000, '20000'],
      ['90000', 90_000, null],
    ];
    for (const [cursor, firstLine, next] of pages) {
      const page = await there.listLines(query(cursor), { timeoutMs: 60_000 });
      const ids = page.rows.map(({ providerPaymentId }) => providerPaymentId).join();
      const isRight = ids === idsFrom(firstLine, 10_000).join();
      expect(isRight, `the page from line ${firstLine}`).to.equal(true);
      expect(page.next).to.equal(next);
    }
    expect(heldAt.get(95_000)! - heldAt.get(5_000)!).to.be.below(10_000_000);
    const [first, , last] = await Promise.all(server.lengths);
    expect(first, 'nothing is read after the page').to.be.below(last! / 2);
  }).timeout(120_000);
});
