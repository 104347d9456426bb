import { DateTime } from 'luxon';
import type { Sql } from '../../shared/sql.ts';

/** Local days, inclusive. Undefined: open. */
export interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

export interface Interval {
  start: Date | null;
  end: Date | null;
}

/**
 * The range in the tenant's zone. A day begins at its first instant, whatever its clock change.
 * `zone`: `then` for the zones that the tenant had, so that a day that is over keeps its bounds.
 */
export async function intervalOf(
  sql: Sql,
  tenantId: string,
  { from, to }: Days,
  zone: 'now' | 'then' = 'now',
): Promise<Interval> {
  if (from === undefined && to === undefined) return { start: null, end: null };
  const begins = zone === 'now' ? firstInstantMs : firstInstantThenMs;
  const [row] = await sql.query<{ start_ms: number | null; end_ms: number | null }>(
    `select ${begins('$2::date')} as start_ms, ${begins('$3::date + 1')} as end_ms
     from tenants where id = $1`,
    [tenantId, from ?? null, to ?? null],
  );
  return { start: dateOf(row!.start_ms), end: dateOf(row!.end_ms) };
}

/** `2026-11`: instants, of which the second is the first after it. */
export interface Month {
  start: Date;
  end: Date;
  /** At its end. */
  timeZone: string;
}

/** A month that is over keeps its bounds, and begins where the one before ended. */
export async function monthOf(sql: Sql, tenantId: string, month: string): Promise<Month> {
  const to = DateTime.fromISO(month).endOf('month').toISODate()!;
  const { start, end } = await intervalOf(sql, tenantId, { from: `${month}-01`, to }, 'then');
  const [tenant] = await sql.query<{ time_zone: string }>(
    `select ${timeZoneAt('tenants', '$2')} as time_zone from tenants where id = $1`,
    [tenantId, end],
  );
  return { start: start!, end: end!, timeZone: tenant!.time_zone };
}

/** SQL: the zone that a tenant had at an instant, so that its day never changes. */
export function timeZoneAt(tenant: string, at: string): string {
  return `coalesce(
    (select former.time_zone from former_time_zones former
     where former.tenant_id = ${tenant}.id and ${at} < former.until
     order by former.until limit 1),
    ${tenant}.time_zone)`;
}

/** SQL: the earliest quarter of an hour around midnight that belongs to the day. */
function firstInstantMs(day: string, zone = 'time_zone', hours = 3): string {
  const midnight = `(${day})::timestamp at time zone time_zone`;
  return `(select (extract(epoch from min(moment)) * 1000)::bigint
    from generate_series(${midnight} - interval '${hours} hours',
      ${midnight} + interval '${hours} hours', interval '15 minutes') moment
    where (moment at time zone ${zone})::date >= ${day})`;
}

function firstInstantThenMs(day: string): string {
  return firstInstantMs(day, timeZoneAt('tenants', 'moment'), 30);
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
