/**
 * The lines of one large payout, computed from a payment's number, for our records and for the
 * provider.
 */

export const PAYOUT_ID = 3_090_024;

export function lineReference(number: number): string {
  return `SV-${100_000 + number}-${number.toString(36).padStart(8, '0')}`;
}

export function linePaymentId(number: number): number {
  return 4_099_000_000 + number;
}

/** Kobo: between ₦1,500 and ₦6,500. */
export function lineAmount(number: number): number {
  return 150_000 + (number % 5_000) * 100;
}

export const LINE_FEE_KOBO = 2_250;

/** What all of it comes to, after fees. */
export function payoutKobo(lines: number): number {
  let sum = 0;
  for (let number = 1; number <= lines; number++) sum += lineAmount(number) - LINE_FEE_KOBO;
  return sum;
}
