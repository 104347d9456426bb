import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { flutterwave } from '../../../../domain/providers/flutterwave/provider.ts';
import type { SettlementLine } from '../../../../domain/providers/settlements.ts';
import { errorOf, useNock } from '../calls.ts';
import { openAdapterFixture } from '../fixture.ts';
import { serve } from '../serving.ts';
import {
  account,
  api,
  bad,
  clock,
  credentials,
  good,
  options,
  order,
  reference,
} from './examples.ts';

const opened = (baseUrl: string) => flutterwave.open({ credentials, baseUrl, clock });
const detailCall = () => api().get('/settlements/41748');
const lines = (cursor: string | null = null) =>
  account.listLines({ providerSettlementId: '41748', cursor }, options);

/** A transaction of ₦5,000.50, as a settlement holds it. */
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

async function readAs(overrides: Record<string, unknown>): Promise<SettlementLine> {
  detailCall().reply(200, detail([transaction(overrides)]));
  return (await lines()).rows[0]!;
}

describe('Flutterwave, asked for the lines of a settlement', () => {
  useNock();

  it('states each as it is', async () => {
    detailCall().reply(200, detail([transaction(), transaction({ id: '7', tx_ref: null })]));
    const line = {
      providerPaymentId: '288200108',
      reference,
      amountKobo: 500_050,
      feeKobo: 12_526,
    };
    expect(await lines()).to.deep.equal({
      rows: [line, { ...line, providerPaymentId: '7', reference: '' }],
      next: null,
    });
  });

  it('has none where there are none', async () => {
    detailCall().reply(200, detail([]));
    expect(await lines()).to.deep.equal({ rows: [], next: null });
  });

  const nets: [
    what: string,
    overrides: Record<string, unknown>,
    amountKobo: number,
    feeKobo: number | null,
  ][] = [
    [
      'a fee that the payer bore',
      { charged_amount: 5070, app_fee: 70, settlement_amount: 5000 },
      507_000,
      7_000,
    ],
    [
      'fees that do not add up',
      { charged_amount: 5000, app_fee: 1, settlement_amount: 4999.98 },
      500_000,
      2,
    ],
    [
      'amounts as text',
      { charged_amount: '5000.50', settlement_amount: '4875.24' },
      500_050,
      12_526,
    ],
    [
      'a net computed by percentages',
      { charged_amount: 2500, settlement_amount: 2462.375 },
      250_000,
      3_762,
    ],
    ['nothing settled', { charged_amount: 5000, settlement_amount: 0 }, 500_000, 500_000],
    ['no net', { settlement_amount: null, merchant_fee: 0.04 }, 500_050, 12_530],
    [
      'no net and no duty',
      { settlement_amount: '', stampduty_charge: null, merchant_fee: undefined },
      500_050,
      7_526,
    ],
    ['neither net nor fee', { settlement_amount: undefined, app_fee: null }, 500_050, null],
    ['no currency', { currency: null }, 500_050, 12_526],
  ];
  for (const [what, overrides, amountKobo, feeKobo] of nets) {
    it(`reads ${what}`, async () => {
      expect(await readAs(overrides)).to.include({ amountKobo, feeKobo });
    });
  }

  it('keeps every digit of an id', async () => {
    detailCall().reply(
      200,
      JSON.stringify(detail([transaction({ id: '@' })])).replace('"@"', '18446744073709551615'),
    );
    expect((await lines()).rows[0]!.providerPaymentId).to.equal('18446744073709551615');
  });

  it('is read whatever form the ids beside them have', async () => {
    for (const meta of [
      [908260, 908790],
      null,
      '',
      `[${'908260,'.repeat(500_000)}1]`,
      { id: 1, transactions: [] },
    ]) {
      detailCall().reply(200, detail([transaction()], { meta }));
      expect((await lines()).rows).to.have.length(1);
    }
  });

  const odd: Record<string, unknown>[] = [
    ...[{ id: null }, { id: 'x' }, { id: 1.5 }, { id: {} }],
    ...[
      { charged_amount: null },
      { charged_amount: -1 },
      { charged_amount: 'much' },
      { charged_amount: true },
    ],
    ...[
      { settlement_amount: 'much' },
      { settlement_amount: -1 },
      { settlement_amount: 5000.51 },
      { currency: 'USD' },
    ],
  ];
  for (const overrides of odd) {
    it(`gives none where one of them has ${JSON.stringify(overrides)}`, async () => {
      detailCall().reply(200, detail([transaction(), transaction(overrides)]));
      expect(await errorOf(lines())).to.include({ kind: 'unknown', stage: 'list lines' });
    });
  }

  const failures: [what: string, status: number, body: object | string, kind: string][] = [
    ['a settlement that is not there', 404, bad('Settlement not found'), 'refused'],
    ['a page of something else', 404, '<html>Not found</html>', 'unknown'],
    ['a settlement without its transactions', 200, detail(undefined), 'unknown'],
    ['transactions that are no list', 200, detail({ id: 1 }), 'unknown'],
    ['another settlement', 200, detail([transaction()], { id: 41749 }), 'unknown'],
    ['half an answer', 200, JSON.stringify(detail([transaction()])).slice(0, -3), 'unknown'],
  ];
  for (const [what, status, body, kind] of failures) {
    it(`fails as ${kind} with ${what}`, async () => {
      detailCall().reply(status, body as object);
      expect(await errorOf(lines())).to.include({ kind, stage: 'list lines' });
    });
  }

  it('does not take a list for read that ends before it went on', async () => {
    detailCall().reply(200, detail([transaction()]));
    expect(await errorOf(lines('10000'))).to.include({ kind: 'unknown', stage: 'list lines' });
  });
});

const collectGarbage = garbageCollector();

/** The engine's own, which it hands out only when asked to. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('A settlement of 100,000 payments at Flutterwave', () => {
  const firstId = 10_000_000_000_000_000n;
  const heldAt = new Map<number, number>();

  /**
   * Some 20 MB, a thousand lines a piece. What is held is weighed near its beginning and near its
   * end.
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

  it('comes whole, in order, ten thousand a page, and is never held', async () => {
    await using server = await serve(body);
    const there = opened(server.url);
    let [cursor, pages, count]: [string | null, number, bigint] = [null, 0, 0n];
    do {
      const { rows, next } = await there.listLines(
        { providerSettlementId: '41748', cursor },
        { timeoutMs: 60_000 },
      );
      expect(rows).to.have.length(10_000);
      for (const { providerPaymentId } of rows) {
        if (providerPaymentId !== String(firstId + count++))
          expect.fail(`line ${count} is ${providerPaymentId}`);
      }
      [cursor, pages] = [next, pages + 1];
    } while (cursor !== null);
    expect({ pages, count }).to.deep.equal({ pages: 10, count: 100_000n });
    expect(heldAt.get(95_000)! - heldAt.get(5_000)!).to.be.below(10_000_000);
    const lengths = await Promise.all(server.lengths);
    expect(lengths[0]).to.be.below(lengths[9]! / 2); // nobody reads on behind the page
  }).timeout(120_000);
});

describe('Flutterwave’s settlements, as the sandbox makes them', () => {
  it('hold what was paid, and their net is what landed', async () => {
    const keys = {
      secret_key: `FLWSECK_TEST-${randomBytes(16).toString('hex')}-X`,
      secret_hash: 'made-up',
    };
    const others = { ...keys, secret_key: `FLWSECK_TEST-${randomBytes(16).toString('hex')}-X` };
    const credentialsInTurn = [keys, others];
    await using fixture = await openAdapterFixture({
      adapter: 'flutterwave',
      newCredentials: () => credentialsInTurn.shift() ?? others,
    });
    const there = flutterwave.open({
      credentials: keys,
      baseUrl: `${fixture.sandbox.url}/flutterwave`,
      clock: fixture.now,
    });
    const references = [fixture.newReference(), fixture.newReference()];
    for (const each of references) {
      await fixture.provider.create({ ...order, reference: each }, options);
      await fixture.control.pay(each);
    }
    await fetch(`${fixture.sandbox.url}/_control/settle`, {
      method: 'POST',
      body: '{"provider":"flutterwave"}',
    });

    const span = {
      from: new Date(fixture.now().getTime() - 3_600_000),
      to: fixture.now(),
      cursor: null,
    };
    const { rows: settlements, next } = await there.listSettlements(span, options);
    expect(settlements.map(({ state }) => state)).to.deep.equal(['landed']);
    expect(next).to.equal(null);
    const { rows } = await there.listLines(
      { providerSettlementId: settlements[0]!.providerSettlementId, cursor: null },
      options,
    );
    expect(rows.map((line) => line.reference)).to.deep.equal(references);
    expect(rows.reduce((sum, { amountKobo, feeKobo }) => sum + amountKobo - feeKobo!, 0)).to.equal(
      settlements[0]!.amountKobo,
    );
    const payments = (await there.listPayments(span, options)).rows.map(
      ({ providerPaymentId: id, amountKobo, feeKobo }) => ({
        id,
        net: amountKobo - feeKobo!,
      }),
    );
    const settled = rows.map(({ providerPaymentId: id, amountKobo, feeKobo }) => ({
      id,
      net: amountKobo - feeKobo!,
    }));
    expect(payments).to.have.deep.members(settled);
  });
});
