import type { StoredConnection } from '../../accounts/connection/connection.ts';
import type { Sql } from '../../shared/sql.ts';
import type { AttemptRow } from './row.ts';
import { watchedAttemptStatuses } from './transitions.ts';

export type ClaimedAttempt = Pick<AttemptRow, 'id' | 'reference' | 'connection_id'> & {
  connection: StoredConnection;
};

/** A charge may have many attempts; those that ended are asked about in turn. */
const MOST_PER_READ = 5;

/**
 * Marks attempts that may hold money and were not asked about within a second as asked about now; a
 * request to cancel asks about each once more.
 */
export function claimUnasked(sql: Sql, chargeId: string, now: Date): Promise<ClaimedAttempt[]> {
  return sql.query<ClaimedAttempt>(
    `with claimed as (
       select q.id from attempts q join charges on charges.id = q.charge_id
       where q.charge_id = $1 and q.status = any($3)
         and (asked_at is null or asked_at <= $2::timestamptz - interval '1 second'
           or asked_at < cancel_requested_at)
       order by q.status in ('expired', 'declined'), asked_at nulls first, q.id limit $4
       for update of q skip locked
     )
     update attempts a set asked_at = $2 from claimed, connections c
     where a.id = claimed.id and c.id = a.connection_id
     returning a.id, a.reference, a.connection_id, row_to_json(c) as connection`,
    [chargeId, now, ['unconfirmed', ...watchedAttemptStatuses], MOST_PER_READ],
  );
}
