const CAP_KOBO = 200_000;

/** Flutterwave's own part of the fee: 1.4 % up to ₦2,000, rounded up. */
export function appFeeKobo(amountKobo: number): number {
  return Math.min(CAP_KOBO, Math.ceil((amountKobo * 14) / 1000));
}

/** ₦50 above ₦10,000. */
export const stampDutyKobo = (amountKobo: number): number => (amountKobo > 1_000_000 ? 5_000 : 0);

/** Its part, 7.5 % VAT of it and the stamp duty, each rounded up: ₦2,500 pay out ₦2,462.37. */
export function feeKobo(amountKobo: number): number {
  const appKobo = appFeeKobo(amountKobo);
  const vatKobo = Math.ceil((appKobo * 75) / 1000);
  return Math.min(amountKobo, appKobo + vatKobo + stampDutyKobo(amountKobo));
}
