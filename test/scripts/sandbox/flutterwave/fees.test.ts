import { expect } from 'chai';
import { flutterwave } from '../../../../scripts/sandbox/flutterwave/provider.ts';

describe("sandbox: Flutterwave's fee", () => {
  for (const [amountKobo, feeKobo, why] of [
    [250_000, 3_763, 'is 1.4 % and 7.5 % of that, fractions rounded up'],
    [1_000_000, 15_050, 'has no stamp duty up to ₦10,000'],
    [1_000_001, 20_052, 'has ₦50 of it above'],
    [14_285_800, 220_000, 'grows until the cap'],
    [900_000_000, 220_000, 'never passes ₦2,000, their tax and the stamp duty'],
    [1, 1, 'never passes what was paid'],
  ] as const) {
    it(why, () => expect(flutterwave.feeKobo(amountKobo)).to.equal(feeKobo));
  }
});
