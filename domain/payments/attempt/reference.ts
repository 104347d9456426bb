import { randomBase36, referenceOf } from '../../shared/ids.ts';

/** The random tail keeps databases apart that share a provider account. */
export function newAttemptReference(chargeNumber: number): string {
  return `${referenceOf(chargeNumber)}-${randomBase36(8)}`;
}

/** `SV-100042-x7k2m9qa`; any other is the merchant's other business. */
export function isOurReference(reference: string): boolean {
  return /^SV-\d{1,15}-[0-9a-z]{8}$/.test(reference);
}
