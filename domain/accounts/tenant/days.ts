import type { Sql } from '../../shared/sql.ts';

/** Local days, as ISO dates. Both count in; either may be left open. */
export interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

/** The same as instants: `start` counts in, `end` no longer does. Null where the days are open. */
export interface Interval {
  start: Date | null;
  end: Date | null;
}

/**
 * When days begin and end in the tenant's time zone. A day begins at its first instant, whatever
 * its clocks do: where midnight is skipped, and where it is passed twice, as well.
 */
export async function intervalOf(
  sql: Sql,
  tenantId: string,
  { from, to }: Days,
): Promise<Interval> {
  if (from === undefined && to === undefined) return { start: null, end: null };
  const [row] = await sql.query<{ start_ms: number | null; end_ms: number | null }>(
    `select ${firstInstantMs('$2::date')} as start_ms, ${firstInstantMs('$3::date + 1')} as end_ms
     from tenants where id = $1`,
    [tenantId, from ?? null, to ?? null],
  );
  return { start: dateOf(row!.start_ms), end: dateOf(row!.end_ms) };
}

/**
 * Clocks are moved by less than three hours, and at whole quarters of an hour: the earliest of
 * those around midnight that is in the day.
 */
function firstInstantMs(day: string): string {
  const midnight = `(${day})::timestamp at time zone time_zone`;
  return `(select (extract(epoch from min(moment)) * 1000)::bigint
    from generate_series(${midnight} - interval '3 hours', ${midnight} + interval '3 hours',
      interval '15 minutes') moment
    where (moment at time zone time_zone)::date >= ${day})`;
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
