import { timeZoneAt } from '../../accounts/tenant/days.ts';
import type { Reader } from '../../shared/reader.ts';
import { type Database, rowsWrite, type Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { FigureChange, Figures } from './changes.ts';

export interface DayFigures extends Figures {
  /** ISO date, in the zone of that time. */
  day: string;
  slot: string;
}

const FIGURES = ['succeeded', 'failed', 'collected_kobo', 'fee_kobo', 'refunded_kobo'] as const;
const sums = FIGURES.map((name) => `sum(${name})::bigint as ${name}`).join(', ');

export async function appendChanges(
  { write }: Tx,
  { id, tenant_id, mode }: { id: string; tenant_id: string; mode: string },
  changes: readonly FigureChange[],
): Promise<void> {
  for (const [n, change] of changes.entries())
    await write(figuresWrite({ key: `${id}/${n}`, tenant_id, mode, ...change }));
}

const figuresWrite = rowsWrite(
  'figures',
  {
    key: 'text',
    tenant_id: 'text',
    mode: 'text',
    at: 'timestamptz',
    slot: 'text',
    channel: 'text',
    succeeded: 'bigint',
    failed: 'bigint',
    collected_kobo: 'bigint',
    fee_kobo: 'bigint',
    refunded_kobo: 'bigint',
  },
  `insert into figure_changes (tenant_id, mode, at, slot, channel, ${FIGURES.join(', ')})
  select tenant_id, mode, at, slot, channel, ${FIGURES.join(', ')} from :rows`,
);

const DAY = `(at at time zone ${timeZoneAt('t', 'at')})::date`;

export const MAX_FOLDED = 10_000;

/** Returns how many. One process at a time, so that no two wait for each other's days. */
export async function foldFigures(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ folded: number }>(
    `with taken as (
       delete from figure_changes where id = any(array(
         select id from figure_changes
         where (select pg_try_advisory_xact_lock(hashtext('fold figures')))
         order by id limit ${MAX_FOLDED}))
       returning *),
     days as (
       select tenant_id, mode, ${DAY} as day, slot, channel, ${sums}
       from taken join tenants t on t.id = tenant_id group by 1, 2, 3, 4, 5),
     added as (
       insert into daily_figures (tenant_id, mode, day, slot, channel, ${FIGURES.join(', ')})
       select tenant_id, mode, day, slot, channel, ${FIGURES.join(', ')} from days
       order by tenant_id, mode, day, slot, channel
       on conflict (tenant_id, mode, day, slot, channel) do update set
         ${FIGURES.map((name) => `${name} = daily_figures.${name} + excluded.${name}`).join(', ')})
     select count(*)::int as folded from taken`,
  );
  return row!.folded;
}

/** Both days included, with changes that are not added yet. */
const COUNTED = `
  select day, slot, channel, ${FIGURES.join(', ')} from (
    select day, slot, channel, ${FIGURES.join(', ')} from daily_figures
    where tenant_id = $1 and mode = $2 and day between $3::date and $4::date
    union all
    select ${DAY}, slot, channel, ${FIGURES.join(', ')}
    from figure_changes join tenants t on t.id = tenant_id
    where tenant_id = $1 and mode = $2) as counted
  where day between $3::date and $4::date`;

export function figuresBetween(
  sql: Database | Sql,
  { tenantId, mode }: Reader,
  from: string,
  to: string,
): Promise<DayFigures[]> {
  return sql.query<DayFigures>(
    `select day, slot, ${sums} from (${COUNTED}) as counted
     group by day, slot order by day, slot`,
    [tenantId, mode, from, to],
  );
}

/** What one provider took through one channel, in a span of days or in the one before. */
export interface SourceFigures extends Figures, Pick<FigureChange, 'slot' | 'channel'> {
  is_before: boolean;
}

/** From the first day of the span before to the last of the span, which begins on `from`. */
export function figuresBySource(
  sql: Database | Sql,
  { tenantId, mode }: Reader,
  { before, from, to }: { before: string; from: string; to: string },
): Promise<SourceFigures[]> {
  return sql.query<SourceFigures>(
    `select slot, channel, day < $5::date as is_before, ${sums} from (${COUNTED}) as counted
     group by 1, 2, 3 order by 1, 2, 3`,
    [tenantId, mode, before, to, from],
  );
}
