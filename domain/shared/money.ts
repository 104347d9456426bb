/** ₦100 and ₦1,000,000,000. */
export const MIN_AMOUNT_KOBO = 10_000;
export const MAX_AMOUNT_KOBO = 100_000_000_000;

/** The only currency collected. */
export const CURRENCY = 'NGN';

const naira = new Intl.NumberFormat('en-NG', {
  style: 'currency',
  currency: CURRENCY,
  currencyDisplay: 'narrowSymbol',
});

/** `150000` → `₦1,500.00`. With a minus sign, not a hyphen. */
export function formatNaira(amountKobo: number): string {
  const [whole, kobo] = [Math.trunc(amountKobo / 100), Math.abs(amountKobo % 100)];
  const text = naira.format(whole).replace(/\.00$/, `.${String(kobo).padStart(2, '0')}`);
  return text.replace('-', '−');
}
