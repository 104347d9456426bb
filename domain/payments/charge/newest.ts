import { type Sql, statement } from '../../shared/sql.ts';
import { type ChargeKey, chargeKeys, IN_COMBINATION, otherKeys } from './filter.ts';
import type { ChargeRow } from './row.ts';

/** How many charges were read and how many of them match, with what was asked in all of those. */
export interface Counted {
  read: number;
  count: number;
  amount_kobo: number;
}

type Values = Readonly<Record<string, unknown>>;

/** Charges that a key, or none, finds by its index, whatever else is filtered. */
export interface Reading {
  /** The newest, at most `most`. In no order. */
  newest: (sql: Sql, values: Values) => Promise<ChargeRow[]>;
  /** Of any `most` that the key finds, those that match. */
  total: (sql: Sql, values: Values) => Promise<Counted[]>;
}

/** Which rows of an index follow each other in the order of their ids. */
interface Run {
  /** SQL: what tells one run from the others. */
  parts?: string;
  /** SQL: the values of the columns before the last. */
  where: string;
  /** SQL: the column before the id, and its value. */
  last: readonly [column: string, value: string];
}

/**
 * One combination of values at a time, each from its own end of the index: so a page costs the same
 * whether its filter matches every row, one in a million, or none.
 */
const BY_COMBINATION: Run = {
  parts: `(
    select distinct charge_list_key(:mode, status, slot, channel) as key
    from unnest(:statuses::text[]) status, unnest(:slots::text[]) slot,
      unnest(:channels::text[]) channel) wanted,`,
  where: 'mode = :mode',
  last: ['list_key', 'wanted.key'],
};

const BY_MODE: Run = { where: 'true', last: ['mode', ':mode'] };

const BY_LINK: Run = {
  where: 'mode = :mode and payment_link_id is not null',
  last: ['payment_link_id', ':paymentLinkId'],
};

const BY_MERCHANT_REFERENCE: Run = {
  parts: 'unnest(array[true, false]) as wanted_paid, unnest(array[true, false]) as by_merchant,',
  where: `mode = :mode and (is_paid and created_by <> 'import') = wanted_paid`,
  last: [`(created_by in ('secret', 'member'))`, 'by_merchant'],
};

/**
 * Bounds on ids are compared together with the column before them in the index, in place of an
 * equality on that column: beside one, PostgreSQL looks for the first row by the equality alone. A
 * plain bound on the id would let the planner walk the primary key instead, through the charges of
 * all tenants, until it finds a match.
 */
function readingOf(lead: ChargeKey | undefined, { parts = '', where, last }: Run): Reading {
  const [column, value] = last;
  const found = (columns: string, others: string) => `
    select ${columns} from ${parts} lateral (
      select * from charges
      where tenant_id = :tenantId ${lead ? `and ${chargeKeys[lead]}` : ''} and ${where}
        and (${column}, id) < (${value}, :before) and (${column}, id) >= (${value}, :floor)
        ${others}
      order by ${column} desc, id desc limit :most
    ) found`;
  // Of a case the planner expects half the rows: of plain filters few, which it would all sort.
  const matches = `case when occurred_at >= :start and occurred_at < :end and ${IN_COMBINATION}
  ${otherKeys(lead)} then true else false end`;
  return {
    newest: statement<ChargeRow>(`
select * from charges where id = any(array(
  ${found('found.id', `and ${matches}`)}
  order by found.id desc limit :most
))`),
    total: totalOf(`${found('found.*', '')} limit :most`, matches),
  };
}

/** A provider's id is of one payment; the few that an account reused it for are all read. */
const byProviderReference: Reading = readingOfFew(`
  select * from charges where tenant_id = :tenantId and mode = :mode and id = any(array(
    select charge_id from connections
      join captures on captures.connection_id = connections.id
        and captures.provider_payment_id = :providerReference
    where connections.tenant_id = :tenantId and connections.mode = :mode))`);

/**
 * Charges created more than an hour before `moment` and paid at it or later. They are few, and all
 * are read: their filter finds them in no other way.
 */
export const underwayAt: Reading = readingOfFew(`
  select * from charges
  where tenant_id = :tenantId and mode = :mode and occurred_at - created_at > interval '1 hour'
    and tstzrange(created_at, occurred_at, '[]') @> :moment::timestamptz`);

/** Materialized, or the planner might walk the ids instead. */
function readingOfFew(rows: string): Reading {
  const few = `few as materialized (${rows})`;
  const matches = `id < :before and id >= :floor and occurred_at >= :start and occurred_at < :end
  and ${IN_COMBINATION} ${otherKeys()}`;
  return {
    newest: statement<ChargeRow>(`
with ${few}
select * from few where ${matches} order by id desc limit :most`),
    total: totalOf('select * from few limit :most', matches, `${few}, `),
  };
}

function totalOf(rows: string, matches: string, before = '') {
  return statement<Counted>(`
with ${before}found as (${rows})
select count(*) as read, count(*) filter (where is_match) as count,
  coalesce(sum(amount_kobo) filter (where is_match), 0)::bigint as amount_kobo
from (select amount_kobo, ${matches} as is_match from found) compared`);
}

export const readings: Record<ChargeKey | 'all' | 'combination', Reading> = {
  all: readingOf(undefined, BY_MODE),
  combination: readingOf(undefined, BY_COMBINATION),
  providerReference: byProviderReference,
  // Its run is of one link already.
  paymentLinkId: readingOf(undefined, BY_LINK),
  merchantReference: readingOf('merchantReference', BY_MERCHANT_REFERENCE),
  phone: readingOf('phone', BY_COMBINATION),
  email: readingOf('email', BY_COMBINATION),
  amountKobo: readingOf('amountKobo', BY_COMBINATION),
  settlementId: readingOf('settlementId', BY_COMBINATION),
};
