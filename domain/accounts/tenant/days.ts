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

/** The range in the tenant's zone. A day begins at its first instant, whatever its clock change. */
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

/** SQL: the zone that a tenant had at an instant, so that its day never changes. */
export function timeZoneAt(tenant: string, at: string): string {
  return `coalesce(
    (select former.time_zone from former_time_zones former
     where former.tenant_id = ${tenant}.id and ${at} < former.until
     order by former.until limit 1),
    ${tenant}.time_zone)`;
}

/** SQL: the earliest quarter of an hour around midnight that belongs to the day. */
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
