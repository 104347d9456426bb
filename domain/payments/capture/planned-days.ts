import type { Tx } from '../../shared/tx.ts';

/** SQL: notes the days of `changed` captures, whose sums are to be made again. */
export const NOTE_DAYS = `
  insert into planned_day_changes (connection_id, day)
  select distinct connection_id, settles_on from changed where settles_on is not null`;

/**
 * Sums again the changed days of what a connection is still to pay out. A capture with `changed_at`
 * has noted no day yet. The caller lets nobody else do so for this connection.
 */
export async function sumPlannedDays({ sql }: Tx, connectionId: string): Promise<void> {
  await sql.query(
    `with taken as (
       delete from planned_day_changes where connection_id = $1 returning day
     ), days as (
       select day from taken
       union
       select settles_on from captures where connection_id = $1 and changed_at is not null
         and settlement_id is null and settles_on is not null
     )
     insert into planned_days (connection_id, day, amount_kobo, fee_kobo, count)
     select $1, day, sums.* from days cross join lateral (
       select coalesce(sum(amount_kobo), 0)::bigint, coalesce(sum(fee_kobo), 0)::bigint,
         count(*)::int
       from captures where connection_id = $1 and settles_on = day and settlement_id is null
     ) sums
     on conflict (connection_id, day) do update set amount_kobo = excluded.amount_kobo,
       fee_kobo = excluded.fee_kobo, count = excluded.count`,
    [connectionId],
  );
  await sql.query('delete from planned_days where connection_id = $1 and count = 0', [
    connectionId,
  ]);
}
