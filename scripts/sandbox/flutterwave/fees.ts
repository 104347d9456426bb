const feeCapKobo = 200_000;
/** The stamp duty. */
export const stampDuty = { aboveKobo: 1_000_000, kobo: 5_000 };

/**
 * What Flutterwave keeps of a payment: 1.4 % up to ₦2,000, 7.5 % of that as VAT, and ₦50 of stamp
 * duty above ₦10,000. Fractions of a kobo  round up, in whole numbers, so that ₦2,500 pay out
 * ₦2,462.37 as in its own example.
 */
export function feeParts(amountKobo: number): {
  appKobo: number;
  vatKobo: number;
  stampKobo: number;
} {
  const appKobo = Math.min(feeCapKobo, Math.ceil((amountKobo * 14) / 1000));
  return {
    appKobo,
    vatKobo: Math.ceil((appKobo * 75) / 1000),
    stampKobo: stampDutyKobo(amountKobo),
  };
}

/** All of it together, and never more than the payment itself. */
export function feeKobo(amountKobo: number): number {
  const { appKobo, vatKobo, stampKobo: stampDutyKobo } = feeParts(amountKobo);
  return Math.min(amountKobo, appKobo + vatKobo + stampDutyKobo);
}

export function stampDutyKobo(amountKobo: number): number {
  return amountKobo > stampDuty.aboveKobo ? stampDuty.kobo : 0;
}
