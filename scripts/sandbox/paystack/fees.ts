/** 1.5 % rounded up, plus ₦100 from ₦2,500 on, and never above ₦2,000. */
export function feeKobo(amountKobo: number): number {
  return Math.min(
    200_000,
    Math.ceil((amountKobo * 15) / 1000) + (amountKobo >= 250_000 ? 10_000 : 0),
  );
}
