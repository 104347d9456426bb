import { expect } from 'chai';
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
