import type { StatedCapture } from '../capture/capture.ts';

/**
 * Providers' clocks and ours may disagree by this much before a payment counts as older than the
 * attempt it answers.
 */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Why a payment cannot be this charge's, in a sentence; undefined: it fits. Checked every time. */
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
