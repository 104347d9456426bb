import { expect } from 'chai';
import {
  excessOf,
  leftToReturn,
  paidInAll,
  returnableOf,
} from '../../../../domain/payments/capture/capture.ts';

describe('What can go back of a payment', () => {
  it('is the fee that the payer bore too, unless it paid its charge', () => {
    const withFee = { amountKobo: 500_000, payerFeeKobo: 7_500 };
    expect(paidInAll(withFee)).to.equal(507_500);
    expect(paidInAll({ amountKobo: 500_000 })).to.equal(500_000);
    expect(returnableOf(withFee, true)).to.equal(500_000);
    expect(returnableOf(withFee, false)).to.equal(507_500);
  });

  /** Of a charge of ₦5,000, in naira. */
  const excesses: [what: string, charge: [string, number], isApplied: boolean, excess: number][] = [
    ['does not pay its charge', ['succeeded', 0], false, 6_000],
    ['pays its charge', ['succeeded', 0], true, 1_000],
    ['pays a charge of which a part went back', ['succeeded', 2_000], true, 1_000],
    ['paid a charge that was refunded', ['refunded', 5_000], true, 1_000],
    ['paid a charge that was refunded for less', ['refunded', 4_000], true, 2_000],
  ];
  for (const [what, [status, refunded], isApplied, excess] of excesses) {
    it(`beyond its charge is ₦${excess} of ₦6,000 where it ${what}`, () => {
      const charge = { status, amountKobo: 500_000, refundedKobo: refunded * 100 };
      expect(excessOf(charge, { isApplied, paidKobo: 600_000 })).to.equal(excess * 100);
    });
  }

  /** Of ₦6,000, of which ₦1,000 does not belong to the charge, in naira. */
  const left: [what: string, sent: number, system: number, waiting: number, left: number][] = [
    ['nothing went back', 0, 0, 0, 1_000],
    ['the service returned all of it', 1_000, 1_000, 0, 0],
    ['the service is about to return a part', 0, 400, 400, 600],
    ['the merchant refunded the charge', 5_000, 0, 0, 1_000],
    ['a lost dispute took more than the charge', 5_700, 0, 0, 300],
    ['a lost dispute took more, and a part waits', 5_700, 200, 200, 100],
    ['all went back', 6_000, 0, 0, 0],
  ];
  for (const [what, sent, system, waiting, kobo] of left) {
    it(`is ₦${kobo} where ${what}`, () => {
      const sums = { sentKobo: sent * 100, systemKobo: system * 100, waitingKobo: waiting * 100 };
      const payment = { paidKobo: 600_000, excessKobo: 100_000 };
      expect(leftToReturn(sums, payment)).to.equal(kobo * 100);
    });
  }
});
