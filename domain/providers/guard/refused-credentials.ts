import { MINUTE_MS } from '../../shared/units.ts';

/** Longer than a call takes. */
const PROBE_MS = MINUTE_MS;
const WAITS_MS = [1, 5, 30, 60].map((minutes) => minutes * MINUTE_MS);

export interface CredentialHealth {
  /** Null: now, one call at a time. */
  waitMs(): number | null;
  refused(): void;
  accepted(): void;
}

export interface CredentialTracking {
  wereRefused: boolean;
  onChange(areRefused: boolean): void;
}

/** So that many open charges do not cost a call each. */
export function trackCredentials(
  clock: () => Date,
  { wereRefused, onChange }: CredentialTracking,
): CredentialHealth {
  let refusals = wereRefused ? 1 : 0;
  let tryAgainMs = Number.NEGATIVE_INFINITY;
  let isProbing = false;
  return {
    waitMs() {
      const nowMs = clock().getTime();
      if (nowMs < tryAgainMs) return tryAgainMs - nowMs;
      if (refusals === 0) return null;
      isProbing = true;
      tryAgainMs = nowMs + PROBE_MS;
      return null;
    },
    refused() {
      // Calls that were under way together count once.
      if (refusals > 0 && !isProbing) return;
      isProbing = false;
      tryAgainMs = clock().getTime() + (WAITS_MS[refusals] ?? WAITS_MS.at(-1)!);
      refusals++;
      if (refusals === 1) onChange(true);
    },
    accepted() {
      if (refusals > 0) onChange(false);
      refusals = 0;
      isProbing = false;
      tryAgainMs = Number.NEGATIVE_INFINITY;
    },
  };
}
