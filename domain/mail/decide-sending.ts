import { nthOrLast } from '../shared/retry.ts';
import { MINUTE_MS } from '../shared/units.ts';
import type { MailRow } from './row.ts';

/** `refused`: the server will never take this mail. `failed`: it may, another time. */
export interface Sending {
  outcome: 'sent' | 'refused' | 'failed';
  /** Names no address. */
  reason: string | null;
}

export interface SendingDecision {
  status: 'sent' | 'refused' | 'exhausted' | 'unsent';
  /** Set where it is tried again. */
  dueAt: Date | null;
}

/** After each failed try, and the last one again and again. */
const RETRY_WAITS_MS = [1, 5, 15, 30, 60, 120].map((minutes) => minutes * MINUTE_MS);
const JITTER = 0.1;

/** Tried again until the mail is of no use. `tries` counts this one. `random` is in [0, 1). */
export function decideSending(
  { outcome }: Sending,
  { tries, snoozes, expires_at }: Pick<MailRow, 'tries' | 'snoozes' | 'expires_at'>,
  endedAt: Date,
  random: number,
): SendingDecision {
  if (outcome !== 'failed') return { status: outcome, dueAt: null };
  const waitMs = nthOrLast(RETRY_WAITS_MS, tries - snoozes) * (1 + JITTER * random);
  const dueAt = new Date(endedAt.getTime() + Math.round(waitMs));
  return dueAt < expires_at ? { status: 'unsent', dueAt } : { status: 'exhausted', dueAt: null };
}
