/** 1.5 % rounded up to whole kobo, and never above ₦2,000. */
export function feeKobo(amountKobo: number): number {
  return Math.min(200_000, Math.ceil((amountKobo * 15) / 1000));
}
