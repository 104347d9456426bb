import { expect } from 'chai';
import { captureOf } from '../../../../domain/providers/adapter/payments.ts';
import { transactionForm } from '../../../../domain/providers/paystack/wire.ts';
import { errorOf, expectStates } from '../calls.ts';
import { accountAt, listed, options, transaction } from './examples.ts';

const span = {
  ...{ from: new Date('2026-03-02T14:30:00Z'), to: new Date('2026-03-05T09:00:00Z') },
  cursor: null,
};

function settlementRow(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ id: 3090024, domain: 'live', status: 'success', currency: 'NGN', integration: 463433 },
    ...{ total_amount: 975_000, effective_amount: 975_000, deductions: null },
    ...{ total_fees: 25_000, total_processed: 1_000_000 },
    ...{ settlement_date: '2026-03-03T00:00:00.000Z', settled_by: null },
    ...{ createdAt: '2026-03-03T01:04:08.000Z', updatedAt: '2026-03-03T08:12:01.000Z' },
    ...overrides,
  };
}

const list = (data: object[]) =>
  accountAt([200, listed(data)]).account.listSettlements(span, options);
const readAs = async (overrides: Record<string, unknown>) =>
  (await list([settlementRow(overrides)])).rows[0]!;

describe('Listing the settlements of Paystack', () => {
  it('asks from the start of the first day, without subaccounts', async () => {
    const { account, requests } = accountAt([200, listed([settlementRow()])]);
    expect(await account.listSettlements(span, options)).to.deep.equal({
      rows: [
        {
          ...{ providerSettlementId: '3090024', state: 'landed', status: 'success' },
          ...{ amountKobo: 975_000, deductionsKobo: 0, dueOn: '2026-03-03' },
          ...{ landedAt: new Date('2026-03-03T08:12:01Z'), bank: null },
        },
      ],
      next: null,
    });
    const days = 'from=2026-03-02T00%3A00%3A00.000Z&to=2026-03-05T09%3A00%3A00.000Z';
    expect(requests).to.deep.equal([`GET /settlement?subaccount=none&${days}&perPage=100&page=1`]);
  });

  it('has one of our states for each documented status; only a landed one has a time', async () => {
    const states = {
      landed: ['success', ' Success'],
      pending: ['processing', 'pending'],
      failed: ['failed'],
      unknown: ['held'],
    };
    await expectStates(states, async (status) => {
      const settlement = await readAs({ status });
      expect(settlement.landedAt !== null, `${status}`).to.equal(settlement.state === 'landed');
      return settlement;
    });
  });

  it('reads what was sent and deducted, and explains no difference that is not stated', async () => {
    type Row = [total: unknown, effective: unknown, deductions: unknown, kobo: (number | null)[]];
    const rows: Row[] = [
      [975_000, 900_000, 75_000, [900_000, 75_000]],
      [975_000, 899_300, 75_000, [899_300, 75_000]],
      ['975000', '900000', '75000', [900_000, 75_000]],
      [975_000, 975_000, undefined, [975_000, 0]],
      [975_000, 974_300, null, [974_300, null]],
      [null, 975_000, null, [975_000, null]],
      [975_000, null, 75_000, [900_000, 75_000]],
      [975_000, undefined, null, [null, null]],
      [975_000, 0, 975_000, [0, 975_000]],
      ['', null, null, [null, null]],
    ];
    for (const [total_amount, effective_amount, deductions, [amountKobo, deductionsKobo]] of rows) {
      const fields = { total_amount, effective_amount, deductions };
      const amounts = { amountKobo, deductionsKobo };
      expect(await readAs(fields), JSON.stringify(fields)).to.include(amounts);
    }
    expect(await errorOf(readAs({ id: 'x' }))).to.include({
      kind: 'unknown',
      stage: 'list settlements',
    });
  });

  it('says why it cannot read what landed, and reads the other settlements', async () => {
    const unclear = [
      ...[9750.5, -1, 'much'].map((effective_amount) => ({ effective_amount })),
      { deductions: {} },
      { effective_amount: null, deductions: 975_001 },
    ];
    for (const overrides of unclear) {
      const { rows } = await list([settlementRow(overrides), settlementRow({ id: 2 })]);
      expect(rows[0], JSON.stringify(overrides)).to.include({
        ...{ state: 'unclear', amountKobo: null, deductionsKobo: null },
      });
      expect(rows[0]!.unclear).to.match(/^an amount is not whole kobo: /);
      expect(rows[1]).to.include({ providerSettlementId: '2', state: 'landed' });
    }
    const pending = await readAs({ status: 'processing', effective_amount: -1 });
    expect(pending).to.include({ state: 'pending', amountKobo: null, deductionsKobo: null });
  });

  it('reads the day it is due, which dates a landed one without a time', async () => {
    const midnight = new Date('2026-03-03T00:00:00Z');
    const rows: [updatedAt: unknown, date: unknown, dueOn: unknown, landedAt: Date | null][] = [
      [null, '2026-03-03T00:00:00.000Z', '2026-03-03', midnight],
      ['soon', '2026-03-03', '2026-03-03', midnight],
      ...[null, '', 'soon', 7].map((date): [null, unknown, null, null] => [null, date, null, null]),
    ];
    for (const [updatedAt, settlement_date, dueOn, landedAt] of rows) {
      const read = await readAs({ updatedAt, settlement_date });
      expect(read, `${settlement_date}`).to.deep.include({ dueOn, landedAt });
    }
    expect(await readAs({ settlement_date: '2026-02-31T00:00:00.000Z' })).to.include({
      dueOn: null,
    });
  });

  it('omits other currencies; one without a currency is in naira', async () => {
    const rows = [
      { id: 1, currency: 'USD', effective_amount: 'odd' },
      { id: 2, currency: 'ngn' },
      { id: 3, currency: null },
    ];
    const ids = (await list(rows.map(settlementRow))).rows.map((row) => row.providerSettlementId);
    expect(ids).to.deep.equal(['2', '3']);
  });
});

describe('Listing the lines of a settlement of Paystack', () => {
  const linesOf = (...overrides: Record<string, unknown>[]) => {
    const { account, requests } = accountAt([200, listed(overrides.map(transaction))]);
    const query = { providerSettlementId: 'a/b', cursor: null };
    return { page: account.listLines(query, options), requests };
  };

  it('reads a line as a capture, whatever its status and reference', async () => {
    const overrides: Record<string, unknown>[] = [
      { amount: 40_333, fees: 10_283, requested_amount: 30_050 },
      { fees: null },
      ...['reversed', 'disputed', null].map((status) => ({ status })),
      { reference: 'T685312322670591' },
      { reference: null },
    ];
    const { page, requests } = linesOf(...overrides);
    const lines = overrides.map((fields) => {
      const { providerPaymentId, reference, amountKobo, feeKobo } = captureOf(
        transactionForm,
        transaction(fields),
      );
      return { providerPaymentId, reference, amountKobo, feeKobo };
    });
    expect((await page).rows).to.deep.equal(lines);
    expect(requests).to.deep.equal(['GET /settlement/a%2Fb/transactions?perPage=100&page=1']);
  });

  it('says of a line why its amounts are not clear, and reads the others', async () => {
    for (const overrides of [{ amount: null }, { amount: '5000.50' }, { currency: 'USD' }])
      for (const named of [{}, { reference: 'ORDER-7' }]) {
        const { rows } = await linesOf({ ...overrides, ...named }, {}).page;
        expect(rows[0], JSON.stringify(overrides)).to.include({
          ...{ reference: transaction(named).reference, amountKobo: 0, feeKobo: null },
        });
        expect(rows[0]!.unclear).to.match(/^an amount is not|^a payment of a settlement is not/);
        expect(rows[1]).not.to.have.property('unclear');
      }
  });

  it('fails where lines cannot be told apart', async () => {
    expect(await errorOf(linesOf({ id: null }).page)).to.include({
      kind: 'unknown',
      stage: 'list settlement lines',
    });
  });
});
