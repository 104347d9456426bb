import type { Account } from '../../journal/moved.ts';
import type { Sql } from '../../shared/sql.ts';
import type { SettlementAccount } from '../account/account.ts';

/**
 * SQL: what the records and the journal say that each account holds of the sources `$2` of
 * connection `$1`, in kobo; debits are positive. A statement is one
 * snapshot, and records commit with their postings, so that both agree at any moment. What a record
 * moves is written here once more, apart from the functions that post it: a wrong one shows.
 */
export const BALANCES = `
  with payments as (
    select k.id, k.id as payment_id, k.charge_id, k.captured_at as at, amount.own, amount.received,
      amount.received - amount.own - k.kept_kobo as owed,
      k.fee_kobo + amount.received - k.amount_kobo as fee
    from captures k join charges c on c.id = k.charge_id
    cross join lateral (select
      case when k.status = 'applied' then least(k.amount_kobo, c.amount_kobo) else 0 end as own,
      k.amount_kobo + case when k.status = 'applied' then 0 else k.payer_fee_kobo end as received
    ) amount
    where k.connection_id = $1 and k.currency = 'NGN' and k.id = any(array(
      select unnest($2::text[])
      union select capture_id from refunds where id = any($2) and connection_id = $1
      union select capture_id from disputes where id = any($2) and connection_id = $1))
  ), returned as (
    select r.*, p.payment_id, p.charge_id, p.owed, p.own, sum(r.asked) over upto as asked_upto
    from payments p cross join lateral (
      select id, completed_at as at, amount_kobo as kobo, 'refunds' as lost_to,
        case paid_from when 'bank' then 'bank' else 'at_provider' end as paid_from,
        case origin when 'system' then 0 else amount_kobo end as asked
      from refunds where capture_id = p.id and status = 'completed'
      union all
      select id, decided_at, amount_kobo, 'disputes_lost', 'at_provider', amount_kobo
      from disputes where capture_id = p.id and status = 'lost') r
    window upto as (partition by p.id order by r.at, r.id rows unbounded preceding)
  ), beyond as (
    select *, kobo - least(own, asked_upto) + least(own, asked_upto - asked) as more from returned
  ), refunded as (
    select *, least(owed, sum(more) over upto) - least(owed, sum(more) over upto - more) as payers
    from beyond
    window upto as (partition by payment_id order by at, id rows unbounded preceding)
  ), records as (
    select id, payment_id, charge_id, at, account, kobo from payments cross join lateral (values
      ('at_provider', received - coalesce(fee, 0)), ('collected', owed - received),
      ('payers', -owed), ('fees', coalesce(fee, 0))) moved (account, kobo)
    union all
    select id, payment_id, charge_id, at, account, moved.kobo from refunded cross join lateral (values
      (paid_from, -kobo), ('payers', payers), (lost_to, kobo - payers)) moved (account, kobo)
    union all
    select id, capture_id, charge_id, opened_at, account, moved.kobo
    from disputes d cross join lateral (values
      ('at_provider', -amount_kobo), ('held_by_dispute', amount_kobo)) moved (account, kobo)
    where id = any($2) and status = 'open' and exists (select from payments where id = d.capture_id)
    union all
    select id, null, null, landed_at, account, kobo
    from settlements s cross join lateral (
      select coalesce(sum(difference_kobo) filter (where is_unknown and is_open), 0) as unknown,
        coalesce(sum(difference_kobo) filter (where not is_open), 0) as explained
      from (select difference_kobo, kind = 'never_notified' as is_unknown, status = 'open' as is_open
        from discrepancies where settlement_id = s.id and status in ('open', 'closed')) found
    ) difference cross join lateral (values
      ('bank', landed_amount_kobo), ('other_business', -foreign_kobo), ('written_off', explained),
      ('differences', expected_amount_kobo - landed_amount_kobo - unknown - explained),
      ('at_provider', foreign_kobo - expected_amount_kobo + unknown)) moved (account, kobo)
    where id = any($2) and connection_id = $1 and status in ('landed', 'short')
  )
  select source, account, sum(records)::bigint as records, sum(journal)::bigint as journal,
    max(payment_id) as payment_id, max(charge_id) as charge_id, min(at) as at
  from (
    select id as source, payment_id, charge_id, at, account, kobo as records, 0 as journal
    from records where id = any($2)
    union all
    select source, null, null, occurred_at, account, 0, kobo
    from postings cross join lateral (values (debit, amount_kobo), (credit, -amount_kobo)
    ) moved (account, kobo)
    where source = any($2) and connection_id = $1
  ) said group by source, account`;

/**
 * SQL: the same of the snapshots before the ids `$2`. The journal is what a snapshot adds to the
 * one before it, the records are the postings between both.
 */
export const SNAPSHOTS = `
  with wanted as (
    select before_id as upto, coalesce((select max(before_id) from balance_snapshots
        where connection_id = $1 and before_id < newer.before_id), '') as from_id
    from (select distinct before_id from balance_snapshots
      where connection_id = $1 and before_id = any($2)) newer
  )
  select upto as source, account, sum(sign * records)::bigint as records,
    sum(sign * journal)::bigint as journal, null as payment_id, null as charge_id, min(at) as at
  from (
    select upto, debit, credit, amount_kobo as records, 0 as journal, created_at as at
    from wanted join postings on connection_id = $1 and id >= from_id and id < upto
    union all
    select upto, debit, credit, 0, case before_id when upto then amount_kobo else -amount_kobo end,
      null
    from wanted join balance_snapshots on connection_id = $1 and before_id in (upto, from_id)
  ) said cross join lateral (values (debit, 1), (credit, -1)) moved (account, sign)
  group by upto, account`;

/** In kobo. */
export interface AccountBalance {
  account: Account;
  records: number;
  journal: number;
}

/** Of each account, with the sources of which both differ. `of`: SQL of this file. */
export function addBalances(
  sql: Sql,
  { id: connectionId }: SettlementAccount,
  { of, sources }: { of: string; sources: readonly string[] },
): Promise<(AccountBalance & { wrong: string[] })[]> {
  return sql.query(
    `select account, sum(records)::bigint as records, sum(journal)::bigint as journal,
       coalesce(array_agg(source) filter (where records <> journal), '{}') as wrong
     from (${of}) balances group by account`,
    [connectionId, sources],
  );
}
