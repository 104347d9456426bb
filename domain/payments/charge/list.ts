import type { Interval } from '../../accounts/tenant/days.ts';
import { channels } from '../../providers/port/payment.ts';
import { firstIdAt } from '../../shared/ids.ts';
import type { Reader } from '../../shared/reader.ts';
import { slots } from '../../shared/slot.ts';
import { type Sql, statement } from '../../shared/sql.ts';
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

/** Nearly every charge is paid this soon after it was created, or never. */
const PAID_SOON_MS = 3_600_000;

/**
 * Charges by id, newest first, whatever the filter: however many there are, few rows are read for a
 * page, one that matches nothing too. Ids tell when a charge was created. What occurred since a
 * moment was created since then, or before it and paid after it; theirs are the smaller ids, so
 * they come last. A busy tenant has thousands of those at any midnight: the ones created in the
 * hour before it are read by their ids as well, so that a full page reads no more, and only the few
 * that were created earlier are looked for by when they were created and paid.
 */
export async function listCharges(
  sql: Sql,
  reader: Reader,
  filter: ChargeFilter,
  { before, most }: Part,
): Promise<ChargeRow[]> {
  const { start, end } = filter.occurred;
  const ceiling = end ? smaller(before, firstIdAt('txn', end)) : before;
  const floor = start ? firstIdAt('txn', start) : BEFORE_EVERY_ID;
  const created = await createdWithin(sql, reader, filter, { floor, before: ceiling, most });
  if (start === null || created.length === most) return created;
  const hourBefore = firstIdAt('txn', new Date(start.getTime() - PAID_SOON_MS));
  const paidSoon = await createdWithin(sql, reader, filter, {
    floor: hourBefore,
    before: smaller(before, floor),
    most: most - created.length,
  });
  const found = [...created, ...paidSoon];
  if (found.length === most) return found;
  const paidLate = await underwayAt(sql, reader, filter, start, {
    before: smaller(before, hourBefore),
    most: most - found.length,
  });
  return [...found, ...paidLate];
}

const BEFORE_EVERY_ID = '';

function smaller(one: string, other: string): string {
  return one < other ? one : other;
}

async function createdWithin(
  sql: Sql,
  reader: Reader,
  filter: ChargeFilter,
  window: Part & { floor: string },
): Promise<ChargeRow[]> {
  const { email, occurred } = filter;
  const values = {
    ...reader,
    ...window,
    start: occurred.start ?? '-infinity',
    end: occurred.end ?? 'infinity',
    ...matching(filter),
  };
  if (email !== undefined) return newestFirst(await listOfCustomer(sql, { ...values, email }));
  const isPlain =
    filter.status === undefined && filter.slot === undefined && filter.channel === undefined;
  return isPlain ? listAll(sql, values) : newestFirst(await listByCombination(sql, values));
}

function newestFirst(charges: ChargeRow[]): ChargeRow[] {
  return charges.sort((one, other) => (one.id < other.id ? 1 : -1));
}

/**
 * The values of status, slot and channel that match, each column's all where it is not filtered. ''
 * is a channel not known yet.
 */
function matching({ status, slot, channel }: ChargeFilter) {
  return {
    statuses: status === undefined ? [...chargeStatuses] : [status],
    slots: slot === undefined ? [...slots] : [slot],
    channels: channel === undefined ? [...channels, ''] : [channel],
  };
}

/*
 * Bounds on ids are compared together with the column before them in the index, which stands in for
 * an equality on that column. A plain bound on the id would let the planner walk the primary key
 * instead, through the charges of all tenants, until it finds a match.
 */

const listAll = statement<ChargeRow>(`
select * from charges
where tenant_id = :tenantId and (mode, id) < (:mode, :before) and (mode, id) >= (:mode, :floor)
  and occurred_at >= :start and occurred_at < :end
order by mode desc, id desc limit :most`);

const listByCombination = readByCombination('tenant_id = :tenantId and mode = :mode');
const listOfCustomer = readByCombination(
  'tenant_id = :tenantId and mode = :mode and lower(email) = lower(:email)',
);

/**
 * One combination of values at a time, each from its own end of the index: so a page costs the same
 * whether its filter matches every row, one in a million, or none. In no order.
 */
function readByCombination(whose: string) {
  return statement<ChargeRow>(`
select * from charges where id = any(array(
  select found.id from unnest(:statuses::text[]) as wanted_status,
  unnest(:slots::text[]) as wanted_slot, unnest(:channels::text[]) as wanted_channel,
  lateral (
    select id from charges
    where ${whose} and status = wanted_status and slot = wanted_slot
      and (coalesce(channel, ''), id) < (wanted_channel, :before)
      and (coalesce(channel, ''), id) >= (wanted_channel, :floor)
      and occurred_at >= :start and occurred_at < :end
    order by coalesce(channel, '') desc, id desc limit :most
  ) found
  order by found.id desc limit :most
))`);
}

/**
 * Charges created more than an hour before `moment` and paid at it or later. They are few, and all
 * are read: their filter finds them in no other way.
 */
function underwayAt(
  sql: Sql,
  reader: Reader,
  filter: ChargeFilter,
  moment: Date,
  part: Part,
): Promise<ChargeRow[]> {
  const { email = null, occurred } = filter;
  const end = occurred.end ?? 'infinity';
  return listUnderway(sql, { ...reader, ...part, ...matching(filter), moment, end, email });
}

/** Materialized, or the planner might walk the ids instead. */
const listUnderway = statement<ChargeRow>(`
with underway as materialized (
  select * from charges
  where tenant_id = :tenantId and mode = :mode and occurred_at - created_at > interval '1 hour'
    and tstzrange(created_at, occurred_at, '[]') @> :moment::timestamptz
)
select * from underway
where id < :before and occurred_at < :end and status = any(:statuses) and slot = any(:slots)
  and coalesce(channel, '') = any(:channels)
  and (:email::text is null or lower(email) = lower(:email))
order by id desc limit :most`);
