import type { StatedCapture } from '../capture/capture.ts';

/** How far clocks may differ. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Undefined: it fits. */
export function mismatchOf(
  charge: { currency: string; mode: string },
  stated: StatedCapture,
): string | undefined {
  if (stated.reference !== stated.attemptReference) return 'The payment carries another reference.';
  if (stated.currency !== charge.currency)
    return `The payment is in ${stated.currency || 'no known currency'}, not ${charge.currency}.`;
  if (stated.mode !== null && stated.mode !== charge.mode)
    return `The payment was made in ${stated.mode} mode.`;
  if (
    stated.createdAt !== null &&
    stated.createdAt.getTime() < stated.attemptedAt.getTime() - CLOCK_SKEW_MS
  ) {
    return 'The payment is older than our attempt.';
  }
  return undefined;
}
