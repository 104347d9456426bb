import type { Sql } from '../../shared/sql.ts';
import type { ChargeRow } from '../charge/row.ts';
import { isUnpaid } from '../charge/transitions.ts';
import type { AttemptRow } from './row.ts';
import { nextCheckAt } from './schedule.ts';

/** An attempt, with what its checks depend on of its charge. */
export interface WatchedAttempt
  extends AttemptRow,
    Pick<ChargeRow, 'cancel_requested_at' | 'failed_at'> {
  charge: Pick<ChargeRow, 'status' | 'review'>;
  charge_expires_at: Date;
}

export async function findWatched(sql: Sql, attemptId: string): Promise<WatchedAttempt> {
  const [row] = await sql.query<WatchedAttempt>(
    `select a.*, json_build_object('status', c.status, 'review', c.review) as charge,
       c.expires_at as charge_expires_at, c.cancel_requested_at, c.failed_at
     from attempts a join charges c on c.id = a.charge_id where a.id = $1`,
    [attemptId],
  );
  return row!;
}

/** When the attempt is asked about next, by its schedule; null: never. */
export function nextCheckOf(attempt: WatchedAttempt, now: Date): Date | null {
  if (!isWatched(attempt)) return null;
  const watched = {
    since: attempt.accepted_at ?? attempt.sent_at ?? attempt.created_at,
    linkExpiresAt: attempt.link_expires_at,
    chargeExpiresAt: attempt.charge_expires_at,
    // An underpaid charge cannot be cancelled: the payer may still send the rest.
    cancelRequestedAt: attempt.charge.review.includes('underpaid')
      ? null
      : attempt.cancel_requested_at,
    failedAt: attempt.failed_at,
    verifiedAt: attempt.verified_at,
  };
  return nextCheckAt(watched, now);
}

/**
 * A captured attempt of an unpaid charge was underpaid: the payer may send the rest under the same
 * payment. An ended link may still get a slow transfer, also when another attempt paid the charge
 * meanwhile.
 */
function isWatched({ status, failed_at: failedAt, charge }: WatchedAttempt): boolean {
  if (status === 'captured') return isUnpaid(charge.status);
  if (status === 'declined') return failedAt !== null;
  return status === 'open' || status === 'lost' || status === 'expired';
}
