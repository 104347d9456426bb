import { expect } from 'chai';
import { formatNaira, MAX_AMOUNT_KOBO, MIN_AMOUNT_KOBO } from '../../../domain/shared/money.ts';

describe('Money', () => {
  const spellings: [kobo: number, text: string][] = [
    [0, '₦0.00'],
    [5, '₦0.05'],
    [99, '₦0.99'],
    [100, '₦1.00'],
    [MIN_AMOUNT_KOBO, '₦100.00'],
    [150_050, '₦1,500.50'],
    [123_456_789, '₦1,234,567.89'],
    [MAX_AMOUNT_KOBO, '₦1,000,000,000.00'],
    [Number.MAX_SAFE_INTEGER, '₦90,071,992,547,409.91'],
    [-50, '−₦0.50'],
    [-150_005, '−₦1,500.05'],
  ];
  it('is written with its kobo and with commas', () => {
    for (const [kobo, text] of spellings) expect(formatNaira(kobo)).to.equal(text);
  });
});
