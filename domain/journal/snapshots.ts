import { firstIdAt } from '../shared/ids.ts';
import type { Database, Sql } from '../shared/sql.ts';
import { MINUTE_MS } from '../shared/units.ts';
import { totalsBefore } from './running-totals.ts';

/** From one snapshot to the next: a balance of the past adds up as many, which takes 1 ms. */
export const MAX_SNAPSHOTTED = 250;

/**
 * A snapshot has up to twenty rows: with fewer postings there would be more of these rows than of
 * postings. So many are what a balance adds up, where a connection is quiet.
 */
const MIN_POSTINGS = 100;

/** By how much the clocks of two processes may differ. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/**
 * Adds snapshots of the connections with new postings, in the order of these, each posting once.
 * Returns how many it came past, at most `limit`. Safe to run by two processes at once.
 */
export function takeSnapshots(
  { db, now }: { db: Database; now: Date },
  limit: number,
): Promise<number> {
  return db.transaction(async (sql) => {
    const from = await lockPosition(sql);
    const age = await oldestTransactionMs(sql);
    const complete = firstIdAt('btx', new Date(now.getTime() - CLOCK_SKEW_MS - age));
    if (complete <= from) return 0;
    const [next] = await sql.query<{ id: string }>(
      `select id from postings where id >= $1 and id < $2
       order by id offset $3 limit 1`,
      [from, complete, limit],
    );
    const before = next?.id ?? complete;
    const [taken] = await sql.query<{ count: number }>(TAKE, [from, before]);
    await sql.query('update snapshot_position set before_id = $1 where only_row', [before]);
    return taken!.count;
  });
}

/** Nothing will be posted any more that is older than `at`. */
export async function isComplete(sql: Sql, at: Date): Promise<boolean> {
  const rows = await sql.query('select from snapshot_position where only_row and before_id >= $1', [
    firstIdAt('btx', at),
  ]);
  return rows.length > 0;
}

/**
 * Deletes those that have what connections posted since then, for whoever posts into the past, in
 * the same transaction. Balances add these postings up until housekeeping has made them again.
 */
export async function discardSnapshots(
  sql: Sql,
  connectionIds: readonly string[],
  since: Date,
): Promise<void> {
  const from = firstIdAt('btx', new Date(since.getTime() - CLOCK_SKEW_MS));
  await lockPosition(sql);
  await sql.query(
    'delete from balance_snapshots where connection_id = any($1) and before_id > $2',
    [connectionIds, from],
  );
  await sql.query('update snapshot_position set before_id = least(before_id, $1) where only_row', [
    from,
  ]);
}

async function lockPosition(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ before_id: string }>(
    `insert into snapshot_position (before_id) values ('')
     on conflict (only_row) do update set before_id = snapshot_position.before_id
     returning before_id`,
  );
  return row!.before_id;
}

/**
 * A posting's id has the time at which its transaction began, or a later one: so much may still be
 * written. Asked in a statement before the one that reads postings, which sees what ended between.
 */
async function oldestTransactionMs(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ ms: number }>(
    `select coalesce(ceil(max(extract(epoch from clock_timestamp() - xact_start)) * 1000), 0)::bigint as ms
     from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend'
       and pid <> pg_backend_pid()`,
  );
  return row!.ms;
}

const TAKE = `
  with passed as (
    select connection_id as id, count(*) as count from postings where id >= $1 and id < $2 group by 1
  ), totals as (
    select c.id, type, debit, credit, sum(amount_kobo) as amount_kobo, sum(part.count) as count,
      sum(sum(since)) over (partition by c.id) as since
    from passed c cross join ${totalsBefore('$2')} group by c.id, type, debit, credit
  ), taken as (
    insert into balance_snapshots (connection_id, before_id, type, debit, credit, amount_kobo, count)
    select id, $2, type, debit, credit, amount_kobo, count from totals
    where since >= ${MIN_POSTINGS}
  )
  select coalesce(sum(count), 0)::bigint as count from passed`;
