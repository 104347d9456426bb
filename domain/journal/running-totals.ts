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

/** Of the connection `c`. */
const newestSnapshot = (id: string) => `
  lateral (
    select coalesce(max(before_id), '') as before_id from balance_snapshots
    where connection_id = c.id and before_id <= ${id}) newest`;
const OF_SNAPSHOT = `
  from balance_snapshots s where s.connection_id = c.id and s.before_id = newest.before_id`;
/** With plain bounds on ids the planner may walk the primary key, through all tenants' postings. */
const ofPostingsSince = (id: string) => `
  from postings p
  where (connection_id, p.id) >= (c.id, newest.before_id) and (connection_id, p.id) < (c.id, ${id})`;

/**
 * To be joined to a connection `c`: the totals of its postings before `id`, as rows that are still
 * to be added up, from its newest snapshot and the postings since. `since` counts these.
 */
export const totalsBefore = (id: string) => `
  ${newestSnapshot(id)}
  cross join lateral (
    select type, debit, credit, amount_kobo, count, 0 as since ${OF_SNAPSHOT}
    union all
    select type, debit, credit, sum(amount_kobo), count(*), count(*) ${ofPostingsSince(id)}
    group by type, debit, credit) part`;

const TOTALS = `
  select moment::int - 1 as moment, c.id as connection_id, slot, type, debit, credit,
    sum(amount_kobo)::bigint as amount_kobo, sum(count)::bigint as count
  from connections c cross join unnest($3::text[]) with ordinality as wanted (before, moment)
    cross join ${totalsBefore('before')}
  where c.tenant_id = $1 and c.mode = $2
  group by moment, c.id, slot, type, debit, credit order by slot, c.id, type, debit, credit`;

const MOVED = 'sum(case debit when $4 then amount_kobo else -amount_kobo end) as kobo';

/** Many moments: adding up without groups is twice as quick. */
const DEBITED = `
  select moment::int - 1 as moment, slot, sum(kobo)::bigint as kobo
  from connections c cross join unnest($3::text[]) with ordinality as wanted (before, moment)
    cross join ${newestSnapshot('before')}
    cross join lateral (
      select ${MOVED} ${OF_SNAPSHOT} and $4 in (debit, credit)
      union all
      select ${MOVED} ${ofPostingsSince('before')} and $4 in (debit, credit)) part
  where c.tenant_id = $1 and c.mode = $2 and kobo is not null
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
