import { timeZoneAt } from '../../accounts/tenant/days.ts';
import type { Account } from '../../journal/moved.ts';
import type { RunningTotal } from '../../journal/running-totals.ts';
import type { Slot } from '../../shared/slot.ts';
import { statement } from '../../shared/sql.ts';

/** Of one type, between two accounts. */
export type Movement = Pick<RunningTotal, 'type' | 'debit' | 'credit' | 'count' | 'amount_kobo'>;

/** Posted in a later month than that of its day. */
export interface LateMovement extends Movement {
  /** ISO date; what is older than a year is of that year's first day. */
  day: string;
}

/** What a settlement moved. */
export interface PayoutLine {
  settlement_id: string;
  provider: Slot;
  /** ISO date on which it reached the bank. */
  day: string;
  landed_kobo: number;
  other_business_kobo: number;
  /** What is missing; negative: what was too much. */
  difference_kobo: number;
}

/** In the end they are empty. */
export const openAccounts = ['held_by_dispute', 'payers', 'differences'] as const;

/** What a payment, a dispute or a settlement still holds in one of these accounts. */
export interface OpenLine {
  account: (typeof openAccounts)[number];
  source: string;
  provider: Slot;
  /** Service reference of the charge; null: of a settlement. */
  reference: string | null;
  /** ISO date of the first posting. */
  day: string;
  /** Debits are positive. */
  amount_kobo: number;
}

/** With how many there are, and what all of them add up to. */
export type Counted<Line> = Line & { lines: number; total_kobo: number };

/** More are counted only. */
const MAX_LINES = 200;

/** SQL: the ISO date of an instant, in the zone that the tenant `t` had then. */
const dayOf = (at: string) => `to_char(${at} at time zone ${timeZoneAt('t', at)}, 'YYYY-MM-DD')`;

/**
 * SQL: those of a tenant with an id before `:end`, at one of its providers or all. Compared as rows
 * are, ids lead to the tenant's postings and never to those of all tenants.
 */
const POSTINGS = `postings p
  join tenants t on t.id = p.tenant_id
  join connections c on c.id = p.connection_id and (:slot::text is null or c.slot = :slot)
  where p.tenant_id = :tenantId and p.mode = :mode
    and (p.tenant_id, p.mode, p.id) < (:tenantId, :mode, :end)`;
const SINCE_START = '(p.tenant_id, p.mode, p.id) >= (:tenantId, :mode, :start)';

/** From the id `:start` on. What occurred before the instant `:startAt` is late. */
export const readLate = statement<LateMovement>(`
  select type, debit, credit, greatest(day, :yearBefore) as day, count(*) as count,
    sum(amount_kobo)::bigint as amount_kobo
  from (
    select type, debit, credit, amount_kobo, ${dayOf('p.occurred_at')} as day
    from ${POSTINGS} and ${SINCE_START} and p.occurred_at < :startAt
      and may_be_late(p.occurred_at, p.created_at)
  ) late
  group by 1, 2, 3, 4 order by 4, 1, 2, 3`);

/** From the id `:start` on, in the order of their days. */
export const readPayouts = statement<Counted<PayoutLine>>(`
  select *, count(*) over () as lines, sum(landed_kobo) over ()::bigint as total_kobo
  from (
    select source as settlement_id, slot as provider, day,
      ${movedTo('bank')} as landed_kobo, -${movedTo('other_business')} as other_business_kobo,
      ${movedTo('differences')} as difference_kobo
    from (
      select source, slot, debit, credit, amount_kobo, ${dayOf('p.occurred_at')} as day
      from ${POSTINGS} and ${SINCE_START} and may_stay_open(type, debit, credit)
        and type in ('payout', 'other_business', 'difference')
        and 'at_provider' in (debit, credit)
    ) posted
    group by 1, 2, 3
  ) payouts
  order by day, settlement_id limit ${MAX_LINES}`);

/** In the order of the accounts, the largest first. What is returned belongs to its payment. */
export const readOpen = statement<Counted<OpenLine>>(`
  select account, source, slot as provider, amount_kobo, ${dayOf('since')} as day, lines, total_kobo,
    (select 'SV-' || number from charges where id = coalesce(
      (select charge_id from captures where id = source),
      (select charge_id from disputes where id = source))) as reference
  from (
    select *, count(*) over by_account as lines,
      sum(amount_kobo) over by_account ::bigint as total_kobo,
      row_number() over (by_account order by abs(amount_kobo) desc, source) as nth
    from (
      select account, source, slot, min(occurred_at) as since, sum(kobo)::bigint as amount_kobo
      from (
        select account, slot, kobo, occurred_at,
          coalesce((select capture_id from refunds where id = p.source),
            (select capture_id from disputes
              where id = p.source and type = 'dispute' and account = 'payers'),
            p.source) as source
        from (select p.*, c.slot from ${POSTINGS} and may_stay_open(type, debit, credit)) p,
          lateral (values (debit, amount_kobo), (credit, -amount_kobo)) side (account, kobo)
        where account = any(:accounts)
      ) moved
      group by 1, 2, 3 having sum(kobo) <> 0
    ) sources
    window by_account as (partition by account)
  ) ranked join tenants t on t.id = :tenantId
  where nth <= ${MAX_LINES} order by array_position(:accounts, account), nth`);

/** SQL: what postings added to an account. */
function movedTo(account: Account): string {
  return `sum(case '${account}' when debit then amount_kobo when credit then -amount_kobo
    else 0 end)::bigint`;
}
