import { firstIdAt } from '../shared/ids.ts';
import type { Reader } from '../shared/reader.ts';
import type { Slot } from '../shared/slot.ts';
import type { Sql } from '../shared/sql.ts';
import type { Account, PostingType } from './moved.ts';

/** What postings of one type moved between two accounts of a connection, from the beginning. */
export interface RunningTotal {
  connection_id: string;
  slot: Slot;
  type: PostingType;
  debit: Account;
  credit: Account;
  amount_kobo: number;
  /** Of the postings. */
  count: number;
}

/** Sorts after every id. */
export const BEYOND_EVERY_ID = '~';

/**
 * To be joined to a connection `c`: the totals of its postings before `id`, as rows that are still
 * to be added up, from its newest snapshot and the postings since. `since` counts these. With plain
 * bounds on ids the planner may walk the primary key, through the postings of every tenant.
 */
export const totalsBefore = (id: string) => `
  lateral (
    select coalesce(max(before_id), '') as before_id from balance_snapshots
    where connection_id = c.id and before_id <= ${id}) newest
  cross join lateral (
    select type, debit, credit, amount_kobo, count, 0 as since from balance_snapshots s
    where s.connection_id = c.id and s.before_id = newest.before_id
    union all
    select type, debit, credit, sum(amount_kobo), count(*), count(*)
    from postings p
    where (connection_id, p.id) >= (c.id, newest.before_id) and (connection_id, p.id) < (c.id, ${id})
    group by type, debit, credit) part`;

const BEFORE_MOMENTS = `
  from connections c cross join unnest($3::text[]) with ordinality as wanted (before, moment)
    cross join ${totalsBefore('before')}
  where c.tenant_id = $1 and c.mode = $2`;

const TOTALS = `
  select moment::int - 1 as moment, c.id as connection_id, slot, type, debit, credit,
    sum(amount_kobo)::bigint as amount_kobo, sum(count)::bigint as count
  ${BEFORE_MOMENTS}
  group by moment, c.id, slot, type, debit, credit order by slot, c.id, type, debit, credit`;

const DEBITED = `
  select moment::int - 1 as moment, slot,
    sum(case debit when $4 then amount_kobo else -amount_kobo end)::bigint as kobo
  ${BEFORE_MOMENTS} and $4 in (debit, credit)
  group by moment, slot order by moment, slot`;

/** Those posted before each of the moments; null: all. */
export async function runningTotalsAt(
  sql: Sql,
  { tenantId, mode }: Reader,
  moments: readonly (Date | null)[],
): Promise<RunningTotal[][]> {
  const before = moments.map((at) => (at ? firstIdAt('btx', at) : BEYOND_EVERY_ID));
  const rows = await sql.query<RunningTotal & { moment: number }>(TOTALS, [tenantId, mode, before]);
  return moments.map((_, n) =>
    rows.flatMap(({ moment, ...total }) => (moment === n ? [total] : [])),
  );
}

/** Those posted before the moment `at`; without one all. */
export async function runningTotals(
  sql: Sql,
  reader: Reader,
  at: Date | null = null,
): Promise<RunningTotal[]> {
  const [totals] = await runningTotalsAt(sql, reader, [at]);
  return totals!;
}

/** By how much more an account was debited than credited before each of the moments, in kobo. */
export async function debitedBefore(
  sql: Sql,
  { tenantId, mode }: Reader,
  account: Account,
  moments: readonly Date[],
): Promise<{ slot: Slot; kobo: number }[][]> {
  const before = moments.map((at) => firstIdAt('btx', at));
  const rows = await sql.query<{ moment: number; slot: Slot; kobo: number }>(DEBITED, [
    ...[tenantId, mode, before, account],
  ]);
  return moments.map((_, n) => rows.filter(({ moment }) => moment === n));
}
