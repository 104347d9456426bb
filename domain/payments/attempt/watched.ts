import type { StoredConnection } from '../../accounts/connection/connection.ts';
import { queues } from '../../jobs.ts';
import { providerNamed } from '../../providers/registry.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import { isUnpaid } from '../charge/transitions.ts';
import type { AttemptRow } from './row.ts';
import { firstCheckAfterFailure, nextCheckAt } from './schedule.ts';
import { type AttemptStatus, watchedAttemptStatuses } from './transitions.ts';

export interface WatchedAttempt
  extends AttemptRow,
    Pick<ChargeRow, 'cancel_requested_at' | 'failed_at' | 'failure_cause' | 'retrying'> {
  charge: Pick<ChargeRow, 'status' | 'review'>;
  charge_expires_at: Date;
  /** Its last payment's record; null: none. */
  paid_at: Date | null;
  adapter: string;
}

export async function findWatched(sql: Sql, attemptId: string): Promise<WatchedAttempt> {
  const [row] = await sql.query<WatchedAttempt>(
    `select a.*, json_build_object('status', c.status, 'review', c.review) as charge,
       c.expires_at as charge_expires_at, c.cancel_requested_at, c.failed_at, c.failure_cause,
       c.retrying, o.adapter, (select max(recorded_at) from captures k
         where k.charge_id = a.charge_id and k.attempt_id = a.id) as paid_at
     from attempts a join charges c on c.id = a.charge_id join connections o on o.id = a.connection_id
     where a.id = $1`,
    [attemptId],
  );
  return row!;
}

/** Who pays twice mostly does so within minutes, in another tab. */
const PAID_LATELY_MS = 15 * 60_000;

/** True while a charge of the connection is unpaid, was paid lately, or failed within the hour. */
export async function isPaymentLikely(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  connection: Pick<StoredConnection, 'id' | 'tenant_id' | 'mode' | 'slot'>,
): Promise<boolean> {
  const { id, tenant_id: tenantId, mode, slot } = connection;
  const soon = firstCheckAfterFailure(now, false);
  const [row] = await sql.query<{ likely: boolean }>(
    `select exists (select from charges where tenant_id = $1 and mode = $2 and list_key
         between charge_list_key($2, 'pending', $3, null)
           and charge_list_key($2, 'pending', $3, 'other'))
       or exists (select from charges c join attempts a on a.charge_id = c.id
         where c.tenant_id = $1 and c.mode = $2 and c.retrying
         and a.connection_id = $4 and a.status = 'open')
       or exists (select from attempts where connection_id = $4 and due_at <= $5
         and ${queues['charge-check'].where})
       or exists (select from captures
         where connection_id = $4 and listed_at is null and captured_at > $6) as likely`,
    [tenantId, mode, slot, id, soon, new Date(now.getTime() - PAID_LATELY_MS)],
  );
  return row!.likely;
}

/** Null: never. */
export function nextCheckOf(attempt: WatchedAttempt, now: Date): Date | null {
  if (!isWatched(attempt)) return null;
  const isUnderpaid = attempt.charge.review.includes('underpaid');
  const watched = {
    since: attempt.accepted_at ?? attempt.sent_at ?? attempt.created_at,
    linkExpiresAt: attempt.link_expires_at,
    chargeExpiresAt: attempt.charge_expires_at,
    // An underpaid charge cannot be cancelled: the payer may still send the rest.
    cancelRequestedAt: isUnderpaid ? null : attempt.cancel_requested_at,
    // While its payer tries again, only what was declined is checked as after the failure.
    failedAt: attempt.retrying && attempt.status !== 'declined' ? null : attempt.failed_at,
    isDeclined: attempt.failure_cause === 'declined',
    isUnderpaid,
    paidAt: hasPaid(attempt) ? attempt.paid_at : null,
    verifiedAt: attempt.verified_at,
    isListed: providerNamed(attempt.adapter).capabilities.paymentLists !== null,
  };
  return nextCheckAt(watched, now);
}

/**
 * An ended link may still get a slow transfer, and a declined one be paid after all. One that paid
 * the charge is watched where more money may come under its reference.
 */
function isWatched(attempt: WatchedAttempt): boolean {
  if (hasPaid(attempt)) return paysAgainOf(attempt) === 'unlisted';
  return (watchedAttemptStatuses as readonly AttemptStatus[]).includes(attempt.status);
}

export function isPaidAgainByList(attempt: WatchedAttempt): boolean {
  return hasPaid(attempt) && paysAgainOf(attempt) === 'listed';
}

const paysAgainOf = ({ adapter }: WatchedAttempt) => providerNamed(adapter).capabilities.paysAgain;

/** A captured attempt of a charge without money was underpaid, or does not match. */
function hasPaid({ status, charge }: WatchedAttempt): boolean {
  return status === 'captured' && charge.status !== 'failed' && !isUnpaid(charge.status);
}
