import type { Days } from '../../accounts/tenant/days.ts';
import type { Reader } from '../../shared/reader.ts';
import { slots } from '../../shared/slot.ts';
import type { Database } from '../../shared/sql.ts';
import { walkingIndexes } from '../../shared/walking-indexes.ts';
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
  /** The days they belong to. */
  days: Days;
  before: string;
  limit: number;
}

/**
 * Lists discrepancies of the reader's tenant and mode. A page reads few rows however many there
 * are, even where nothing matches; a range of days reads a few rows for each day.
 */
export function listDiscrepancies(
  db: Database,
  { tenantId, mode }: Reader,
  query: DiscrepancyQuery,
): Promise<DiscrepancyRow[]> {
  const { settlementId, days, before, limit } = query;
  const page = [tenantId, mode, before, limit];
  const isPlain =
    query.status === undefined && query.kind === undefined && query.slot === undefined;
  return walkingIndexes(db, async (sql) => {
    const read = (text: string, values: readonly unknown[] = []) =>
      sql.query<DiscrepancyRow>(text, [...page, ...values]);
    const dates = [days.from ?? null, days.to ?? null];
    if (settlementId !== undefined)
      return newestFirst(await read(OF_A_SETTLEMENT, [...valuesOf(query), settlementId, ...dates]));
    if (days.from !== undefined || days.to !== undefined)
      return newestFirst(await read(OF_DAYS, [...valuesOf(query), ...dates]));
    return isPlain ? read(ALL) : newestFirst(await read(BY_COMBINATION, valuesOf(query)));
  });
}

function newestFirst(discrepancies: DiscrepancyRow[]): DiscrepancyRow[] {
  return discrepancies.sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** The values of status, kind and slot that match. A column that is not filtered has all. */
function valuesOf({ status, kind, slot }: DiscrepancyQuery): [string[], string[], string[]] {
  return [
    status === undefined ? [...discrepancyStatuses] : [status],
    kind === undefined ? [...discrepancyKinds] : [kind],
    slot === undefined ? [...slots] : [slot],
  ];
}

/*
 * Bounds on ids are compared together with the column before them in the index, which stands for an
 * equality on that column. With a plain bound on the id, the planner may walk the primary key
 * through the discrepancies of every tenant until it meets a match.
 */

const ALL = `
${discrepanciesFrom(`(
  select * from discrepancies
  where tenant_id = $1 and (mode, id) < ($2, $3) and (mode, id) >= ($2, '')
  order by mode desc, id desc limit $4)`)}
order by d.mode desc, d.id desc`;

const COMBINATIONS = `unnest($5::text[]) as wanted_status, unnest($6::text[]) as wanted_kind,
  unnest($7::text[]) as wanted_slot`;

/** Reads each combination of values from its own end of the index. */
const BY_COMBINATION = newestOf(`
  from ${COMBINATIONS}, lateral (
    select id from discrepancies
    where tenant_id = $1 and mode = $2 and status = wanted_status and kind = wanted_kind
      and (slot, id) < (wanted_slot, $3) and (slot, id) >= (wanted_slot, '')
    order by slot desc, id desc limit $4
  ) found`);

/** Reads each combination for each day, from the first to the last day on which there is one. */
const OF_DAYS = newestOf(`
  from ${COMBINATIONS},
  lateral (
    select min(day) as first, max(day) as last from discrepancies
    where tenant_id = $1 and mode = $2 and status = wanted_status and kind = wanted_kind
      and slot = wanted_slot
  ) known,
  -- Where none is known the series must be empty: greatest and least ignore nulls.
  generate_series(
    case when known.first is not null then greatest(known.first, $8::date) end,
    least(known.last, $9::date), interval '1 day') as wanted_day,
  lateral (
    select id from discrepancies
    where tenant_id = $1 and mode = $2 and status = wanted_status and kind = wanted_kind
      and slot = wanted_slot
      and (day, id) < (wanted_day::date, $3) and (day, id) >= (wanted_day::date, '')
    order by day desc, id desc limit $4
  ) found`);

/** All discrepancies of a settlement have its slot, and nearly all have one day. */
const OF_A_SETTLEMENT = newestOf(`
  from unnest($5::text[]) as wanted_status, unnest($6::text[]) as wanted_kind, lateral (
    select id from discrepancies
    where settlement_id = (
        select id from settlements
        where tenant_id = $1 and mode = $2 and id = $8 and slot = any($7))
      and status = wanted_status
      and (kind, id) < (wanted_kind, $3) and (kind, id) >= (wanted_kind, '')
      and ($9::date is null or day >= $9) and ($10::date is null or day <= $10)
    order by kind desc, id desc limit $4
  ) found`);

/** The discrepancies that `found` names, in no order. */
function newestOf(found: string): string {
  return `${discrepanciesFrom('discrepancies')}
    where d.id = any(array(select found.id ${found} order by found.id desc limit $4))`;
}
