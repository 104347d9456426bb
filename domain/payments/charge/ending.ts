import { type ChargeStatus, isUnpaid } from './transitions.ts';

export interface Ending {
  status: ChargeStatus;
  expires_at: Date;
  cancel_requested_at: Date | null;
}

/** Nothing new is opened. */
export function isOver(
  { status, expires_at: expiresAt, cancel_requested_at: cancelRequestedAt }: Ending,
  now: Date,
): boolean {
  return !isUnpaid(status) || expiresAt <= now || cancelRequestedAt !== null;
}

export function hasEnded(
  { status, expires_at: expiresAt, cancel_requested_at: cancelRequestedAt }: Ending,
  now: Date,
): boolean {
  return isUnpaid(status) && (expiresAt <= now || (cancelRequestedAt ?? expiresAt) <= now);
}
