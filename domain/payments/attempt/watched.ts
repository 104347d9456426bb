import type { StoredConnection } from '../../accounts/connection/connection.ts';
import { queues } from '../../jobs.ts';
import { providerNamed } from '../../providers/registry.ts';
import { plainArray, type Sql } from '../../shared/sql.ts';
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

type AskedConnection = Pick<StoredConnection, 'id' | 'tenant_id' | 'mode' | 'slot'>;

/**
 * For each connection, whether a charge of it is unpaid, was paid lately, or failed within the
 * hour. Each question ends at its first row: of an `exists` the planner may read the whole table.
 */
export async function arePaymentsLikely(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  connections: readonly AskedConnection[],
): Promise<boolean[]> {
  const given = (column: keyof AskedConnection) =>
    plainArray(connections.map((connection) => connection[column]));
  const rows = await sql.query<{ id: string }>(
    `select o.id from unnest($1::text[], $2::text[], $3::text[], $4::text[])
         as o (id, tenant_id, mode, slot)
     where coalesce(
       (select true from charges c where c.tenant_id = o.tenant_id and c.mode = o.mode
          and c.list_key between charge_list_key(o.mode, 'pending', o.slot, null)
            and charge_list_key(o.mode, 'pending', o.slot, 'other') limit 1),
       (select true from charges c join attempts a on a.charge_id = c.id
          where c.tenant_id = o.tenant_id and c.mode = o.mode and c.retrying
          and a.connection_id = o.id and a.status = 'open' limit 1),
       (select true from attempts where connection_id = o.id and due_at <= $5
          and ${queues['charge-check'].where} limit 1),
       (select true from captures
          where connection_id = o.id and listed_at is null and captured_at > $6 limit 1),
       false)`,
    [
      ...[given('id'), given('tenant_id'), given('mode'), given('slot')],
      firstCheckAfterFailure(now, false),
      new Date(now.getTime() - PAID_LATELY_MS),
    ],
  );
  const likely = new Set(rows.map(({ id }) => id));
  return connections.map(({ id }) => likely.has(id));
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
