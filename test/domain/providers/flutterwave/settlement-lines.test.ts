import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { flutterwave } from '../../../../domain/providers/flutterwave/provider.ts';
import type { SettlementLine } from '../../../../domain/providers/port/settlement.ts';
import { errorOf, expectErrors, type Reply } from '../calls.ts';
import { serve } from '../serving.ts';
import { accountAt, bad, clock, credentials, good, options, reference } from './examples.ts';

const opened = (baseUrl: string) => flutterwave.open({ credentials, baseUrl, clock, mode: 'live' });
const query = (cursor: string | null = null) => ({ providerSettlementId: '41748', cursor });
const lines = (reply: Reply, cursor: string | null = null) =>
  accountAt(reply).account.listLines(query(cursor), options);

function transaction(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{
      customer_email: 'ada@example.com',
      flw_ref: 'YemiDesola/FLW275407301',
      tx_ref: reference,
      id: 288200108,
    },
    ...{
      charged_amount: 5000.5,
      app_fee: 75.26,
      merchant_fee: 0,
      stampduty_charge: 50,
      settlement_amount: 4875.24,
    },
    ...{
      status: 'successful',
      payment_entity: 'card',
      transaction_date: '2026-03-02T09:14:24.000Z',
      currency: 'NGN',
    },
    ...{ card_locale: 'LOCAL', rrn: null, subaccount_settlement: 0 },
    ...overrides,
  };
}

/** A settlement by itself: `meta` is text here, and `is_local` a number. */
function detail(transactions: unknown, overrides: Record<string, unknown> = {}) {
  return good({
    id: 41748,
    status: 'completed',
    is_local: 1,
    net_amount: 119892,
    meta: '[908260,908790]',
    ...overrides,
    transactions,
  });
}

const readAs = async (overrides: Record<string, unknown>): Promise<SettlementLine> =>
  (await lines([200, detail([transaction(overrides)])])).rows[0]!;

describe('Listing the lines of a settlement of Flutterwave', () => {
  it('reads each payment with all its fields', async () => {
    const { account, requests } = accountAt([
      200,
      detail([transaction(), transaction({ id: '7', tx_ref: null })]),
    ]);
    const line = {
      providerPaymentId: '288200108',
      reference,
      amountKobo: 500_050,
      feeKobo: 12_526,
    };
    expect(await account.listLines(query(), options)).to.deep.equal({
      rows: [line, { ...line, providerPaymentId: '7', reference: '' }],
      next: null,
    });
    expect(requests).to.deep.equal(['GET /settlements/41748']);
    expect(await lines([200, detail([])])).to.deep.equal({ rows: [], next: null });
  });

  it('takes the fee from what is settled, or else as stated', async () => {
    const unstated = { stampduty_charge: null, merchant_fee: undefined };
    const rows: [fields: Record<string, unknown>, amountKobo: number, feeKobo: number | null][] = [
      [{ charged_amount: 5070, app_fee: 70, settlement_amount: 5000 }, 507_000, 7_000],
      [{ charged_amount: 5000, app_fee: 1, settlement_amount: 4999.98 }, 500_000, 2],
      [{ charged_amount: '5000.50', settlement_amount: '4875.24' }, 500_050, 12_526],
      [{ charged_amount: 2500, settlement_amount: 2462.375 }, 250_000, 3_762],
      [{ charged_amount: 5000, settlement_amount: 0 }, 500_000, 500_000],
      [{ settlement_amount: null, merchant_fee: 0.04 }, 500_050, 12_530],
      [{ settlement_amount: '', ...unstated }, 500_050, 7_526],
      [{ settlement_amount: undefined, app_fee: null }, 500_050, null],
      [{ currency: null }, 500_050, 12_526],
    ];
    for (const [fields, amountKobo, feeKobo] of rows)
      expect(await readAs(fields), JSON.stringify(fields)).to.include({ amountKobo, feeKobo });
  });

  it('keeps every digit of an id, and skips the ids beside the lines in any form', async () => {
    const text = JSON.stringify(detail([transaction({ id: '@' })]));
    const { rows } = await lines([200, text.replace('"@"', '18446744073709551615')]);
    expect(rows[0]!.providerPaymentId).to.equal('18446744073709551615');
    const long = `[${'908260,'.repeat(500_000)}1]`;
    for (const meta of [[908260, 908790], null, '', long, { id: 1, transactions: [] }])
      expect((await lines([200, detail([transaction()], { meta })])).rows).to.have.length(1);
  });

  it('says of a line why its amounts are not clear, and reads the others', async () => {
    const unclear = [
      ...[null, -1, 'much', true].map((charged_amount) => ({ charged_amount })),
      ...['much', -1, 5000.51].map((settlement_amount) => ({ settlement_amount })),
      { currency: 'USD' },
    ];
    for (const fields of unclear)
      for (const named of [{}, { tx_ref: 'ORDER-7' }]) {
        const given = [transaction({ ...fields, ...named }), transaction()];
        const { rows } = await lines([200, detail(given)]);
        expect(rows[0], JSON.stringify(fields)).to.include({
          ...{ reference: transaction(named).tx_ref, amountKobo: 0, feeKobo: null },
        });
        expect(rows[0]!.unclear).to.match(/^a line does not say|^a payment of a settlement is not/);
        expect(rows[1]).not.to.have.property('unclear');
      }
  });

  it('fails where lines cannot be told apart', async () => {
    for (const fields of [null, 'x', 1.5, {}].map((id) => ({ id }))) {
      const both = lines([200, detail([transaction(), transaction(fields)])]);
      expect(await errorOf(both), JSON.stringify(fields)).to.include({
        ...{ kind: 'unknown', stage: 'list settlement lines' },
      });
    }
  });

  it('fails, and is not empty, after any other answer', async () => {
    const replies: [reply: Reply, kind: string][] = [
      [[404, bad('Settlement not found')], 'refused'],
      [[404, '<html>Not found</html>'], 'unknown'],
      [[200, detail(undefined)], 'unknown'],
      [[200, detail({ id: 1 })], 'unknown'],
      [[200, detail([transaction()], { id: 41749 })], 'unknown'],
    ];
    await expectErrors('list settlement lines', replies, lines);
    const shorter = lines([200, detail([transaction()])], '10000');
    expect((await errorOf(shorter)).message).to.match(/^the list ends before line 10000/);
  });
});

const collectGarbage = garbageCollector();

/** The garbage collector of the engine, which is exposed only on request. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

function heldBytes(): number {
  collectGarbage();
  collectGarbage(); // frees what the first one finalized
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('A settlement of 100,000 payments at Flutterwave', () => {
  const firstId = 10_000_000_000_000_000n;
  const heldAt = new Map<number, number>();

  /**
   * Some 20 MB, in pieces of a thousand lines. The memory in use is measured near the beginning and
   * near the end.
   */
  function* body() {
    const [head, tail] = JSON.stringify(
      detail(['@'], { meta: JSON.stringify(Array(100_000).fill(908_260)) }),
    ).split('"@"');
    const line = {
      flw_ref: 'x'.repeat(100),
      tx_ref: reference,
      id: '@',
      charged_amount: 5000.5,
      settlement_amount: 4875.24,
    };
    const [before, after] = JSON.stringify(line).split('"@"');
    yield head!;
    for (let index = 0; index < 100_000; index += 1_000) {
      if (index === 5_000 || index === 95_000) heldAt.set(index, heldBytes());
      const piece = Array.from(
        { length: 1_000 },
        (_, more) => `${before}${firstId + BigInt(index + more)}${after}`,
      );
      yield (index === 0 ? '' : ',') + piece.join();
    }
    yield tail!;
  }

  it('is read in order, ten thousand lines a page, and never held in memory', async () => {
    await using server = await serve(body);
    const there = opened(server.url);
    const pages: [cursor: string | null, firstLine: number, next: string | null][] = [
      [null, 0, '10000'],
      ['10000', 10_000, '20000'],
      ['90000', 90_000, null],
    ];
    for (const [cursor, firstLine, next] of pages) {
      const page = await there.listLines(query(cursor), { timeoutMs: 60_000 });
      const ids = page.rows.map(({ providerPaymentId }) => providerPaymentId);
      const expected = Array.from(
        { length: 10_000 },
        (_, line) => firstId + BigInt(firstLine + line),
      );
      expect(ids.join() === expected.join(), `the page from line ${firstLine}`).to.equal(true);
      expect(page.next).to.equal(next);
    }
    expect(heldAt.get(95_000)! - heldAt.get(5_000)!).to.be.below(10_000_000);
    const [first, , last] = await Promise.all(server.lengths);
    expect(first, 'nothing is read after the page').to.be.below(last! / 2);
  }).timeout(120_000);
});
