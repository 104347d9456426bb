import { expect } from 'chai';
import {
  decideFailed,
  decideLanded,
  deductionsToExplain,
  type StatedSettlement,
} from '../../../../domain/settlements/settlement/totals.ts';
import type { SettlementStatus } from '../../../../domain/settlements/settlement/transitions.ts';

const now = new Date('2026-03-04T10:00:00Z');
const landedAt = new Date('2026-03-03T06:00:00Z');

/**
 * Two payments of ours, ₦10,000 with ₦150 of fees, and one of another business, ₦2,000 after fees.
 */
const sums = {
  ...{ grossKobo: 1_000_000, feeKobo: 15_000, count: 2 },
  ...{ foreignKobo: 200_000, foreignCount: 1, netKobo: 1_185_000 },
};

/** A settlement of these lines whose provider states both amounts in naira; null: not stated. */
function given(
  landed: number | null,
  deducted: number | null,
  overrides: Partial<StatedSettlement> = {},
): StatedSettlement {
  return {
    ...{ id: 'stl_1', status: 'expected', stated_state: 'landed', landed_at: null },
    stated_amount_kobo: landed === null ? null : landed * 100,
    stated_deductions_kobo: deducted === null ? null : deducted * 100,
    ...{ expected_date: '2026-03-03', expected_amount_kobo: 0 },
    ...overrides,
  };
}

const known = (refunds: number, chargebacks: number) => ({
  ...{ refundsKobo: refunds * 100, chargebacksKobo: chargebacks * 100 },
});

describe('The totals of a landed settlement', () => {
  /** In naira; null: not stated. `toExplain`: what refunds and chargebacks are to explain. */
  type Row = [
    what: string,
    given: [landed: number | null, deducted: number | null, refunds: number, chargebacks: number],
    found: [status: SettlementStatus, expected: number, landed: number, toExplain: number],
    differences: Record<string, number>,
  ];
  const rows: Row[] = [
    ['all of it landed', [11_850, 0, 0, 0], ['landed', 11_850, 11_850, 0], {}],
    ['no amount is stated', [null, null, 0, 0], ['landed', 11_850, 11_850, 0], {}],
    ['only deductions are', [null, 850, 800, 50], ['landed', 11_000, 11_000, 850], {}],
    ['both are', [11_000, 850, 800, 50], ['landed', 11_000, 11_000, 850], {}],
    ['only what landed is', [11_000, null, 800, 50], ['landed', 11_000, 11_000, 850], {}],
    [
      'more is deducted',
      [11_000, 850, 800, 0],
      ['short', 11_050, 11_000, 850],
      { deduction_mismatch: 50 },
    ],
    [
      'less is deducted',
      [11_050, 800, 800, 50],
      ['landed', 11_000, 11_050, 800],
      { deduction_mismatch: -50 },
    ],
    ['too little landed', [11_849, 0, 0, 0], ['short', 11_850, 11_849, 0], { short: 1 }],
    ['too much landed', [11_851, 0, 0, 0], ['landed', 11_850, 11_851, 0], { surplus: -1 }],
    ['nothing explains it', [11_000, null, 0, 0], ['short', 11_850, 11_000, 850], { short: 850 }],
    [
      'both differ',
      [10_900, 850, 800, 0],
      ['short', 11_050, 10_900, 850],
      { deduction_mismatch: 50, short: 100 },
    ],
  ];
  for (const [what, [landed, deducted, refunds, chargebacks], found, rest] of rows) {
    it(`are ${found.slice(0, 3).join(', ')}: ${what}`, () => {
      const stated = given(landed, deducted);
      const toExplain = deductionsToExplain(stated, sums);
      const { status, totals, differences } = decideLanded(
        stated,
        sums,
        known(refunds, chargebacks),
        now,
      );
      const kobo = [totals.expected_amount_kobo!, totals.landed_amount_kobo!, toExplain];
      expect([status, ...kobo.map((one) => one / 100)]).to.deep.equal(found);
      const differing = differences.filter(({ differenceKobo }) => differenceKobo !== 0);
      const kinds = differing.map(({ kind, differenceKobo }) => [kind, differenceKobo / 100]);
      expect(Object.fromEntries(kinds)).to.deep.equal(rest);
    });
  }

  it('show what our records hold, apart from what belongs to another business', () => {
    const { totals } = decideLanded(given(11_000, 850), sums, known(800, 50), now);
    expect(totals).to.deep.equal({
      ...{ expected_amount_kobo: 1_100_000, landed_amount_kobo: 1_100_000 },
      ...{ gross_kobo: 1_000_000, fee_kobo: 15_000, transaction_count: 2 },
      ...{ refunds_kobo: 80_000, chargebacks_kobo: 5_000 },
      ...{ foreign_kobo: 200_000, foreign_count: 1 },
    });
  });

  it('name the deductions that we know of and those that the provider states', () => {
    const { differences } = decideLanded(given(11_000, 850), sums, known(800, 0), now);
    expect(differences[0]).to.deep.equal({
      ...{ kind: 'deduction_mismatch', differenceKobo: 5_000 },
      ...{ oursKobo: 80_000, theirsKobo: 85_000 },
    });
  });

  it('of a settlement that differs in nothing say so for each kind, and resolve what is open', () => {
    const { differences } = decideLanded(given(11_850, 0), sums, known(0, 0), now);
    const kinds = differences.map(({ kind, differenceKobo }) => [kind, differenceKobo]);
    expect(kinds).to.deep.equal([
      ['deduction_mismatch', 0],
      ['short', 0],
      ['surplus', 0],
    ]);
  });

  it('have the time that the provider states, or else now', () => {
    const landed = (overrides = {}) =>
      decideLanded(given(11_850, 0, overrides), sums, known(0, 0), now).landedAt;
    expect(landed({ landed_at: landedAt })).to.deep.equal(landedAt);
    expect(landed()).to.deep.equal(now);
  });

  it('are published when it is first found landed or short, and again after it failed', () => {
    const publishes = (status: SettlementStatus) =>
      decideLanded(given(11_850, 0, { status }), sums, known(0, 0), now).publishesLanded;
    const before: SettlementStatus[] = ['expected', 'failed', 'short', 'landed'];
    expect(before.map(publishes)).to.deep.equal([true, true, false, false]);
  });
});

describe('The totals of a failed settlement', () => {
  it('are what was expected and nothing landed, whatever was known before', () => {
    const expectedBefore = given(11_850, 0, { expected_amount_kobo: 900_000, landed_at: landedAt });
    expect(decideFailed(expectedBefore)).to.deep.equal({
      status: 'failed',
      totals: { expected_amount_kobo: 900_000, landed_amount_kobo: 0 },
      ...{ landedAt: null, differences: [], publishesLanded: false },
    });
  });

  it('expect the stated amount where nothing was expected, and nothing where none is stated', () => {
    const expected = (stated: StatedSettlement) => decideFailed(stated).totals.expected_amount_kobo;
    expect(expected(given(11_850, 0))).to.equal(1_185_000);
    expect(expected(given(null, null))).to.equal(0);
  });
});
