import type { ChargeRow } from './row.ts';
import { isUnpaid } from './transitions.ts';

export type Ending = Pick<ChargeRow, 'status' | 'retrying' | 'expires_at' | 'cancel_requested_at'>;

/** It waits for a payment: its first one, or another after a decline. */
export function isOpen({ status, retrying }: Pick<Ending, 'status' | 'retrying'>): boolean {
  return isUnpaid(status) || retrying;
}

/** SQL: the row of `charges` with this name is open. */
export const isOpenRow = (charge: string) =>
  `(${charge}.status in ('initiated', 'pending') or ${charge}.retrying)`;

/** Nothing new is opened. */
export function isOver(charge: Ending, now: Date): boolean {
  return !isOpen(charge) || charge.expires_at <= now || charge.cancel_requested_at !== null;
}

export function hasEnded(charge: Ending, now: Date): boolean {
  const { expires_at: expiresAt, cancel_requested_at: cancelRequestedAt } = charge;
  return isOpen(charge) && (expiresAt <= now || (cancelRequestedAt ?? expiresAt) <= now);
}

/** After a decline, until its end; money that waits for a person comes first. */
export function isRetryable(
  charge: Ending & Pick<ChargeRow, 'failure_cause' | 'review'>,
  now: Date,
): boolean {
  const wasDeclined = charge.status === 'failed' && charge.failure_cause === 'declined';
  const isFree = !charge.retrying && charge.review.length === 0;
  return wasDeclined && isFree && !isOver({ ...charge, retrying: true }, now);
}
