import type { Days } from '../../accounts/tenant/days.ts';
import type { Reader } from '../../shared/reader.ts';
import { slots } from '../../shared/slot.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import { MOST_COUNTED, type Total, totalStatement } from '../../shared/total.ts';
import { discrepancyKinds, discrepancyStatuses } from '../entities/discrepancy.ts';
import { discrepanciesFrom } from './find.ts';
import type { DiscrepancyRow } from './row.ts';

/**
 * What to list: newest first, at most `limit`, with ids that sort before `before`. A filter that is
 * left out matches all.
 */
export interface DiscrepancyQuery {
  status: string | undefined;
  kind: string | undefined;
  slot: string | undefined;
  settlementId: string | undefined;
  days: Days;
  before: string;
  limit: number;
}

/**
 * Lists discrepancies of the reader's tenant and mode. A page reads few rows however many there
 * are, even where nothing matches; a range of days reads a few rows for each day.
 */
export async function listDiscrepancies(
  sql: Sql,
  { tenantId, mode }: Reader,
  query: DiscrepancyQuery,
): Promise<DiscrepancyRow[]> {
  const { settlementId, days, before, limit } = query;
  const page = { tenantId, mode, before, limit };
  const isPlain =
    query.status === undefined && query.kind === undefined && query.slot === undefined;
  const { from = null, to = null } = days;
  const wanted = { ...page, ...valuesOf(query), from, to };
  if (settlementId !== undefined)
    return newestFirst(await listOfSettlement(sql, { ...wanted, settlementId }));
  if (from !== null || to !== null) return newestFirst(await listOfDays(sql, wanted));
  return isPlain ? listAll(sql, page) : newestFirst(await listByCombination(sql, wanted));
}

/** How many there are, and by how much records differ in all. */
export function totalOfDiscrepancies(
  sql: Sql,
  { tenantId, mode }: Reader,
  query: Omit<DiscrepancyQuery, 'before' | 'limit'>,
): Promise<Total> {
  const { settlementId, days } = query;
  const { from = '-infinity', to = 'infinity' } = days;
  const wanted = { tenantId, mode, ...valuesOf(query), from, to, most: MOST_COUNTED + 1 };
  return settlementId === undefined
    ? totalOfAll(sql, wanted)
    : totalOfSettlement(sql, { ...wanted, settlementId });
}

function newestFirst(discrepancies: DiscrepancyRow[]): DiscrepancyRow[] {
  return discrepancies.sort((one, other) => (one.id < other.id ? 1 : -1));
}

function valuesOf({ status, kind, slot }: Pick<DiscrepancyQuery, 'status' | 'kind' | 'slot'>) {
  return {
    statuses: status === undefined ? discrepancyStatuses : [status],
    kinds: kind === undefined ? discrepancyKinds : [kind],
    slots: slot === undefined ? slots : [slot],
  };
}

/*
 * Bounds on ids are compared together with the column before them in the index, which stands for an
 * equality on that column. With a plain bound on the id, the planner may walk the primary key
 * through the discrepancies of every tenant until it meets a match.
 */

const listAll = statement<DiscrepancyRow>(`
${discrepanciesFrom(`(
  select * from discrepancies
  where tenant_id = :tenantId and (mode, id) < (:mode, :before) and (mode, id) >= (:mode, '')
  order by mode desc, id desc limit :limit)`)}
order by d.mode desc, d.id desc`);

const COMBINATIONS = `unnest(:statuses::text[]) as wanted_status,
  unnest(:kinds::text[]) as wanted_kind, unnest(:slots::text[]) as wanted_slot`;

/** Reads each combination of values from its own end of the index. */
const listByCombination = newestOf(`
  from ${COMBINATIONS}, lateral (
    select id from discrepancies
    where tenant_id = :tenantId and mode = :mode and status = wanted_status and kind = wanted_kind
      and (slot, id) < (wanted_slot, :before) and (slot, id) >= (wanted_slot, '')
    order by slot desc, id desc limit :limit
  ) found`);

/** Reads each combination for each day, from the first to the last day on which there is one. */
const listOfDays = newestOf(`
  from ${COMBINATIONS},
  lateral (
    select min(day) as first, max(day) as last from discrepancies
    where tenant_id = :tenantId and mode = :mode and status = wanted_status and kind = wanted_kind
      and slot = wanted_slot
  ) known,
  -- Where none is known the series must be empty: greatest and least ignore nulls.
  generate_series(
    case when known.first is not null then greatest(known.first, :from::date) end,
    least(known.last, :to::date), interval '1 day') as wanted_day,
  lateral (
    select id from discrepancies
    where tenant_id = :tenantId and mode = :mode and status = wanted_status and kind = wanted_kind
      and slot = wanted_slot
      and (day, id) < (wanted_day::date, :before) and (day, id) >= (wanted_day::date, '')
    order by day desc, id desc limit :limit
  ) found`);

/** All discrepancies of a settlement have its slot, and nearly all have one day. */
const listOfSettlement = newestOf(`
  from unnest(:statuses::text[]) as wanted_status, unnest(:kinds::text[]) as wanted_kind, lateral (
    select id from discrepancies
    where settlement_id = (
        select id from settlements
        where tenant_id = :tenantId and mode = :mode and id = :settlementId and slot = any(:slots))
      and status = wanted_status
      and (kind, id) < (wanted_kind, :before) and (kind, id) >= (wanted_kind, '')
      and (:from::date is null or day >= :from) and (:to::date is null or day <= :to)
    order by kind desc, id desc limit :limit
  ) found`);

function newestOf(found: string) {
  return statement<DiscrepancyRow>(`${discrepanciesFrom('discrepancies')}
    where d.id = any(array(select found.id ${found} order by found.id desc limit :limit))`);
}

const totalOfAll = totalStatement(`
  select found.amount_kobo from ${COMBINATIONS}, lateral (
    select difference_kobo as amount_kobo from discrepancies
    where tenant_id = :tenantId and mode = :mode and status = wanted_status and kind = wanted_kind
      and slot = wanted_slot and day >= :from::date and day <= :to::date
    limit :most
  ) found`);

const totalOfSettlement = totalStatement(`
  select found.amount_kobo
  from unnest(:statuses::text[]) as wanted_status, unnest(:kinds::text[]) as wanted_kind, lateral (
    select difference_kobo as amount_kobo from discrepancies
    where settlement_id = (
        select id from settlements
        where tenant_id = :tenantId and mode = :mode and id = :settlementId and slot = any(:slots))
      and status = wanted_status and kind = wanted_kind
      and day >= :from::date and day <= :to::date
    limit :most
  ) found`);
