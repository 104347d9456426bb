import type { Sql } from '../../shared/sql.ts';

/** A range of local days, as ISO dates, both inclusive. Undefined: open. */
export interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

/** The same range as instants: from `start`, before `end`. Null: open. */
export interface Interval {
  start: Date | null;
  end: Date | null;
}

/**
 * When a range of days begins and ends in the tenant's time zone. A day begins at its first
 * instant, also where a clock change skips or repeats midnight.
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
 * SQL: the time zone that a tenant had at an instant. What was counted once at that instant is
 * counted on the same day ever after.
 */
export function timeZoneAt(tenant: string, at: string): string {
  return `coalesce(
    (select former.time_zone from former_time_zones former
     where former.tenant_id = ${tenant}.id and ${at} < former.until
     order by former.until limit 1),
    ${tenant}.time_zone)`;
}

/**
 * SQL: the first instant of a day. Clock changes are shorter than three hours and fall on quarters
 * of an hour, so this is the earliest quarter around midnight that belongs to the day.
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
