import { expect } from 'chai';
import { refundableOf } from '../../../../domain/payments/refund/refundable.ts';

/** Of a charge of ₦5,000, in naira; null: what was asked was paid. */
const rows: [
  what: string,
  paid: number | null,
  refunded: number,
  completed: number,
  pending: number,
  left: number,
][] = [
  ['is the whole payment at first', null, 0, 0, 0, 5_000],
  ['excludes refunds that are requested or under way', null, 0, 0, 1_200, 3_800],
  ['excludes completed refunds that the charge counts', null, 2_000, 0, 0, 3_000],
  ['excludes completed refunds that it does not count yet', null, 0, 2_000, 0, 3_000],
  ['excludes each completed refund once', null, 2_000, 2_000, 0, 3_000],
  ['excludes refunds made at the provider besides ours', null, 3_500, 2_000, 1_000, 500],
  ['is no more than was paid, where that is less', 4_000, 0, 0, 1_000, 3_000],
  ['is no more than was asked, where more was paid', 9_000, 0, 0, 1_000, 4_000],
  ['is nothing after all went back', null, 5_000, 0, 0, 0],
  ['is never negative', null, 4_000, 0, 2_000, 0],
];

describe('The refundable amount of a charge', () => {
  for (const [what, paid, refunded, completed, pending, left] of rows)
    it(what, () => {
      const charge = { amount_kobo: 500_000, refunded_kobo: refunded * 100 };
      const [paidKobo, completedKobo] = [(paid ?? 5_000) * 100, completed * 100];
      const sums = { paidKobo, completedKobo, pendingKobo: pending * 100 };
      expect(refundableOf(charge, sums)).to.equal(left * 100);
    });
});
