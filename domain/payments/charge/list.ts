import type { Interval } from '../../accounts/tenant/days.ts';
import { channels } from '../../providers/provider.ts';
import { firstIdAt } from '../../shared/ids.ts';
import type { Reader } from '../../shared/reader.ts';
import { slots } from '../../shared/slot.ts';
import type { Database, Sql } from '../../shared/sql.ts';
import { walkingIndexes } from '../../shared/walking-indexes.ts';
import { chargeStatuses } from '../entities/charge.ts';
import type { ChargeRow } from './row.ts';

/** Which charges are wanted. What is left out is any. */
export interface ChargeFilter {
  status?: string | undefined;
  slot?: string | undefined;
  channel?: string | undefined;
  /** The payer's e-mail address, in any case. */
  email?: string | undefined;
  /** When it was paid, or created while it is not. */
  occurred: Interval;
}

/** Which part of the list: at most `most` rows, whose ids sort before `before`. */
export interface Part {
  before: string;
  most: number;
}

/**
 * Charges by id, newest first, whatever the filter: however many there are, few rows are read for a
 * page, one that matches nothing too. Ids tell when a charge was created. What occurred since a
 * moment was created since then, but for the few charges that were created before it and paid after
 * it; theirs are the smaller ids, so they come last.
 */
export async function listCharges(
  db: Database,
  reader: Reader,
  filter: ChargeFilter,
  { before, most }: Part,
): Promise<ChargeRow[]> {
  const { start, end } = filter.occurred;
  const ceiling = end ? smaller(before, firstIdAt('txn', end)) : before;
  const floor = start ? firstIdAt('txn', start) : BEFORE_EVERY_ID;
  return walkingIndexes(db, async (sql) => {
    const created = await createdWithin(sql, reader, filter, { floor, before: ceiling, most });
    if (start === null || created.length === most) return created;
    const underway = await underwayAt(sql, reader, filter, start, {
      before: smaller(before, floor),
      most: most - created.length,
    });
    return [...created, ...underway];
  });
}

const BEFORE_EVERY_ID = '';

function smaller(one: string, other: string): string {
  return one < other ? one : other;
}

async function createdWithin(
  sql: Sql,
  { tenantId, mode }: Reader,
  filter: ChargeFilter,
  { floor, before, most }: Part & { floor: string },
): Promise<ChargeRow[]> {
  const { email, occurred } = filter;
  const window = [
    tenantId,
    mode,
    before,
    floor,
    occurred.start ?? '-infinity',
    occurred.end ?? 'infinity',
    most,
  ];
  if (email !== undefined)
    return newestFirst(
      await sql.query<ChargeRow>(OF_A_CUSTOMER, [...window, ...valuesOf(filter), email]),
    );
  const isPlain =
    filter.status === undefined && filter.slot === undefined && filter.channel === undefined;
  if (isPlain) return sql.query<ChargeRow>(ALL, window);
  return newestFirst(await sql.query<ChargeRow>(BY_COMBINATION, [...window, ...valuesOf(filter)]));
}

function newestFirst(charges: ChargeRow[]): ChargeRow[] {
  return charges.sort((one, other) => (one.id < other.id ? 1 : -1));
}

/**
 * The values of status, slot and channel that match, each column's all where it is not filtered. ''
 * is a channel not known yet.
 */
function valuesOf({ status, slot, channel }: ChargeFilter): [string[], string[], string[]] {
  return [
    status === undefined ? [...chargeStatuses] : [status],
    slot === undefined ? [...slots] : [slot],
    channel === undefined ? [...channels, ''] : [channel],
  ];
}

/*
 * Bounds on ids are compared together with the column before them in the index, which stands in for
 * an equality on that column. A plain bound on the id would let the planner walk the primary key
 * instead, through everybody's charges, hoping to meet a match soon.
 */

const ALL = `
select * from charges
where tenant_id = $1 and (mode, id) < ($2, $3) and (mode, id) >= ($2, $4) and occurred_at >= $5 and occurred_at < $6
order by mode desc, id desc limit $7`;

const BY_COMBINATION = readByCombination('tenant_id = $1 and mode = $2');
const OF_A_CUSTOMER = readByCombination(
  'tenant_id = $1 and mode = $2 and lower(email) = lower($11)',
);

/**
 * One combination of values at a time, each from its own end of the index: so a page costs the same
 * whether its filter matches every row, one in a million, or none. In no order.
 */
function readByCombination(whose: string): string {
  return `
select * from charges where id = any(array(
  select found.id from unnest($8::text[]) as wanted_status, unnest($9::text[]) as wanted_slot, unnest($10::text[]) as wanted_channel,
  lateral (
    select id from charges
    where ${whose} and status = wanted_status and slot = wanted_slot
      and (coalesce(channel, ''), id) < (wanted_channel, $3) and (coalesce(channel, ''), id) >= (wanted_channel, $4)
      and occurred_at >= $5 and occurred_at < $6
    order by coalesce(channel, '') desc, id desc limit $7
  ) found
  order by found.id desc limit $7
))`;
}

/**
 * Charges created before `moment` and paid at it or later. They are few, and read all: in no other
 * way are they found by their filter.
 */
function underwayAt(
  sql: Sql,
  { tenantId, mode }: Reader,
  filter: ChargeFilter,
  moment: Date,
  { before, most }: Part,
): Promise<ChargeRow[]> {
  const { email = null, occurred } = filter;
  const values = [
    tenantId,
    mode,
    moment,
    before,
    occurred.end ?? 'infinity',
    most,
    ...valuesOf(filter),
    email,
  ];
  return sql.query<ChargeRow>(UNDERWAY, values);
}

/** Materialized, or the planner might walk the ids instead, hoping to meet one soon. */
const UNDERWAY = `
with underway as materialized (
  select * from charges
  where tenant_id = $1 and mode = $2 and occurred_at > created_at and tstzrange(created_at, occurred_at, '[]') @> $3::timestamptz
)
select * from underway
where id < $4 and occurred_at < $5 and status = any($7) and slot = any($8) and coalesce(channel, '') = any($9)
  and ($10::text is null or lower(email) = lower($10))
order by id desc limit $6`;
