import type { SandboxContext } from '../context.ts';
import { stamp } from './dates.ts';

/**
 * Monnify's own name for a payment to be opened now: `MNFY|98|20260302100000|123456`, where the
 * digits beside the time count the payments. It is also what the address of the hosted page ends
 * in.
 */
export async function newTransactionReference(
  { nextTransactionNumber }: SandboxContext,
  now: Date,
): Promise<string> {
  const digits = String((await nextTransactionNumber()) % 100_000_000).padStart(8, '0');
  return `MNFY|${digits.slice(0, 2)}|${stamp(now)}|${digits.slice(2)}`;
}
