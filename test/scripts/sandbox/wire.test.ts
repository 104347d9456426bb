import { expect } from 'chai';
import { flutterwave } from '../../../scripts/sandbox/flutterwave/provider.ts';
import { monnify } from '../../../scripts/sandbox/monnify/provider.ts';
import { paystack } from '../../../scripts/sandbox/paystack/provider.ts';
import { toKobo, toNaira, toNairaText } from '../../../scripts/sandbox/wire.ts';

describe('sandbox: naira', () => {
  it('comes back from JSON as the same kobo, whatever the amount', () => {
    for (const start of [0, 4_503_599_627_000, 999_999_999_990_000]) {
      for (let kobo = start; kobo < start + 9_999; kobo++) {
        expect(toKobo(JSON.parse(JSON.stringify(toNaira(kobo))))).to.equal(kobo);
        expect(toKobo(toNairaText(kobo))).to.equal(kobo);
      }
    }
  });

  it('has both decimals as text, below one naira and below zero too', () => {
    const texts = ['0.00', '0.05', '0.50', '1.00', '1234.56', '-0.05', '-2.50'];
    expect([0, 5, 50, 100, 123_456, -5, -250].map(toNairaText)).to.deep.equal(texts);
  });

  it('is read from nothing else', () => {
    const texts = ['', '1.005', '1e3', ' 1', '1.', '.5'];
    for (const value of [...texts, 1.005, -1, 1e21, Number.NaN, null, undefined, {}, [1], true])
      expect(toKobo(value), String(value)).to.equal(undefined);
  });
});

const fees: [{ feeKobo(amountKobo: number): number }, number, number, string][] = [
  [paystack, 39_100, 587, 'rounds a fraction of a kobo up'],
  [paystack, 10_000, 150, 'is 1.5 %'],
  [paystack, 249_999, 3_750, 'waives the ₦100 below ₦2,500'],
  [paystack, 250_000, 13_750, 'adds ₦100 from ₦2,500 on'],
  [paystack, 12_666_600, 199_999, 'grows until the cap'],
  [paystack, 100_000_000, 200_000, 'never passes ₦2,000'],
  [flutterwave, 250_000, 3_763, 'is 1.4 % and 7.5 % of that, fractions rounded up'],
  [flutterwave, 1_000_000, 15_050, 'has no stamp duty up to ₦10,000'],
  [flutterwave, 1_000_001, 20_052, 'has ₦50 of it above'],
  [flutterwave, 14_285_800, 220_000, 'grows until the cap'],
  [flutterwave, 900_000_000, 220_000, 'never passes ₦2,000, their tax and the stamp duty'],
  [flutterwave, 1, 1, 'never passes what was paid'],
  [monnify, 39_101, 587, 'is 1.5 %'],
  [monnify, 100_000_000, 200_000, 'never passes ₦2,000'],
];

describe('sandbox: the fee', () => {
  it('is that of each provider', () => {
    for (const [provider, amountKobo, feeKobo, why] of fees)
      expect(provider.feeKobo(amountKobo), why).to.equal(feeKobo);
  });
});
