import type { Payment } from '../records.ts';
import { stamp } from './dates.ts';

/** The last eight digits of a payment's number stand in its reference, which makes it unique among a hundred million payments. */
const numbers = 100_000_000;
const firstNumber = 4_099_260_516;

/** Monnify's own name for a payment: `MNFY|98|20260302100000|123456`. */
export function transactionReference({ id, createdAt }: Pick<Payment, 'id' | 'createdAt'>): string {
  const digits = String(id % numbers).padStart(8, '0');
  return `MNFY|${digits.slice(0, 2)}|${stamp(createdAt)}|${digits.slice(2)}`;
}

/** The number of the payment that may have this reference; whether it has, its creation time decides. */
export function paymentIdOf(reference: string): number | undefined {
  const [, high, low] = /^MNFY\|(\d\d)\|\d{14}\|(\d{6})$/.exec(reference) ?? [];
  if (high === undefined) return undefined;
  const ending = Number(`${high}${low}`);
  const round = Math.floor(firstNumber / numbers) + (ending < firstNumber % numbers ? 1 : 0);
  return round * numbers + ending;
}
