import type { Account } from '../records.ts';

/** What Monnify calls the merchant behind an account. */
export function merchantName({ id }: Account): string {
  return `Sandbox Merchant ${id}`;
}
