import type { ChargeRow } from './row.ts';
import { isUnpaid } from './transitions.ts';

export type Ending = Pick<ChargeRow, 'status' | 'retrying' | 'expires_at' | 'cancel_requested_at'>;

/** It waits for a payment: its first one, or another after a decline. */
export function isOpen({ status, retrying }: Pick<Ending, 'status' | 'retrying'>): boolean {
  return isUnpaid(status) || retrying;
}

/** SQL: the row of `charges` with this name is open. */
export const isOpenRow = (charge: string) => `${charge}.is_open`;

/** Nothing new is opened. */
export function isOver(charge: Ending, now: Date): boolean {
  return !isOpen(charge) || isClosed(charge, now);
}

function isClosed({ expires_at: expiresAt, cancel_requested_at: closedAt }: Ending, now: Date) {
  return expiresAt <= now || closedAt !== null;
}

export function hasEnded(charge: Ending, now: Date): boolean {
  const { expires_at: expiresAt, cancel_requested_at: cancelRequestedAt } = charge;
  return isOpen(charge) && (expiresAt <= now || (cancelRequestedAt ?? expiresAt) <= now);
}

type Failing = Ending & Pick<ChargeRow, 'failure_cause'>;

/** It waits for a payment, or its payer has time left to try again after a decline. */
export function mayBePaid(charge: Failing, now: Date): boolean {
  const wasDeclined = charge.status === 'failed' && charge.failure_cause === 'declined';
  return isOpen(charge) || (wasDeclined && !isClosed(charge, now));
}

/** SQL: the row of `charges` with this name may be paid. `now` is a parameter. */
export const mayBePaidRow = (charge: string, now: `$${number}`) =>
  `(${isOpenRow(charge)} or (coalesce(${charge}.failure_cause = 'declined', false)
    and ${charge}.cancel_requested_at is null and ${charge}.expires_at > ${now}))`;

/** Money that waits for a person comes first. */
export function isRetryable(charge: Failing & Pick<ChargeRow, 'review'>, now: Date): boolean {
  return !isOpen(charge) && mayBePaid(charge, now) && charge.review.length === 0;
}
