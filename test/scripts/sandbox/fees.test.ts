import { expect } from 'chai';
import { paystack } from '../../../scripts/sandbox/paystack/provider.ts';

describe("sandbox: Paystack's fee", () => {
  for (const [amountKobo, feeKobo, why] of [
    [39_100, 587, 'rounds a fraction of a kobo up'],
    [10_000, 150, 'is 1.5 %'],
    [249_999, 3_750, 'waives the ₦100 below ₦2,500'],
    [250_000, 13_750, 'adds ₦100 from ₦2,500 on'],
    [12_666_600, 199_999, 'grows until the cap'],
    [100_000_000, 200_000, 'never passes ₦2,000'],
  ] as const) {
    it(why, () => expect(paystack.feeKobo(amountKobo)).to.equal(feeKobo));
  }
});
