import { type ChargeStatus, isUnpaid } from './transitions.ts';

/** What a charge's end depends on. Times UTC. */
export interface Ending {
  status: ChargeStatus;
  expires_at: Date;
  cancel_requested_at: Date | null;
}

/**
 * True when nothing new is opened for a charge: it is paid or failed, its time is over, or it is to
 * be cancelled.
 */
export function isOver(
  { status, expires_at: expiresAt, cancel_requested_at: cancelRequestedAt }: Ending,
  now: Date,
): boolean {
  return !isUnpaid(status) || expiresAt <= now || cancelRequestedAt !== null;
}

/** True when an unpaid charge's time is over, or the merchant asked to cancel it. */
export function hasEnded(
  { status, expires_at: expiresAt, cancel_requested_at: cancelRequestedAt }: Ending,
  now: Date,
): boolean {
  return isUnpaid(status) && (expiresAt <= now || (cancelRequestedAt ?? expiresAt) <= now);
}
