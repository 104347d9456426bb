import type { Sql } from '../../domain/shared/sql.ts';

/**
 * What the records of payments, refunds, disputes and payouts say that each account holds, written
 * apart from the service; less what the journal says. Of a charge, or of all.
 */
export function wrongBalances(
  sql: Pick<Sql, 'query'>,
  chargeId: string | null = null,
): Promise<{ connection_id: string; account: string; kobo: number }[]> {
  return sql.query(DIFFERENCES, [chargeId]);
}

/** Charges that do not say what the journal says was refunded of their payment. */
export function wrongRefunds(
  sql: Pick<Sql, 'query'>,
  chargeId: string | null = null,
): Promise<{ id: string; refunded_kobo: number; posted_kobo: number }[]> {
  return sql.query(REFUNDED, [chargeId]);
}

const DIFFERENCES = `
  with payments as (
    select k.id, k.connection_id, k.fee_kobo, k.status = 'applied' as is_own,
      case k.status when 'applied' then k.amount_kobo else k.amount_kobo + k.payer_fee_kobo end
        as paid,
      case k.status when 'applied' then least(k.amount_kobo, c.amount_kobo) else 0 end as asked,
      k.kept_kobo + case k.status when 'applied' then least(k.amount_kobo, c.amount_kobo) else 0 end
        as collected,
      case k.status when 'applied' then 0 else k.payer_fee_kobo end as lost_fee
    from captures k join charges c on c.id = k.charge_id
    where ($1::text is null or c.id = $1) and k.currency = 'NGN'
  ), gone as (
    select id, capture_id, amount_kobo as kobo, completed_at as at, 'refunds' as account,
      paid_from = 'bank' as is_of_bank, origin = 'system' as is_return
    from refunds where status = 'completed'
    union all select id, capture_id, amount_kobo, decided_at, 'disputes_lost', false, false
    from disputes where status = 'lost'
  ), owed_back as (
    select gone.*, p.connection_id, least(p.paid - p.collected, sum(kobo) over so_far - least(p.asked,
      coalesce(sum(kobo) filter (where not is_return) over so_far, 0))) as so_far
    from gone join payments p on p.id = capture_id
    window so_far as (partition by capture_id order by at, gone.id)
  ), sent_back as (
    select *, kobo + lag(so_far, 1, 0) over (partition by capture_id order by at, id) - so_far as own
    from owed_back
  ), paid_out as (
    select connection_id, landed_amount_kobo as landed, foreign_kobo as "foreign",
      expected_amount_kobo - landed_amount_kobo
        + unknown.open_kobo + unknown.explained_kobo as missing,
      coalesce(explained.kobo, 0) as explained, unknown.explained_kobo as unknown
    from settlements s cross join lateral (
      select coalesce(-sum(difference_kobo) filter (where status = 'open'), 0) as open_kobo,
        coalesce(-sum(difference_kobo) filter (where status = 'closed'), 0) as explained_kobo
      from discrepancies where settlement_id = s.id and kind = 'never_notified'
    ) unknown cross join lateral (
      select sum(difference_kobo) as kobo from discrepancies
      where settlement_id = s.id and status = 'closed' and kind <> 'never_notified'
    ) explained
    where landed_at is not null and $1::text is null
  ), posted as (
    select * from postings where $1::text is null or source = any(array(
      select id from captures where charge_id = $1
      union all select id from refunds where charge_id = $1
      union all select id from disputes where charge_id = $1))
  ), held (connection_id, account, kobo) as (
    select connection_id, 'at_provider', paid - coalesce(fee_kobo + lost_fee, 0) from payments
    union all select connection_id, 'collected', -collected from payments
    union all select connection_id, 'payers', collected - paid from payments
    union all select connection_id, 'fees', coalesce(fee_kobo + lost_fee, 0) from payments
    union all select connection_id, case when is_of_bank then 'bank' else 'at_provider' end, -kobo
      from sent_back
    union all select connection_id, account, own from sent_back
    union all select connection_id, 'payers', kobo - own from sent_back
    union all select connection_id, account, amount_kobo * sign
      from disputes, (values ('at_provider', -1), ('held_by_dispute', 1)) moved (account, sign)
      where status = 'open' and capture_id in (select id from payments)
    union all select connection_id, 'at_provider', "foreign" - landed - missing + unknown
      from paid_out
    union all select connection_id, 'bank', landed from paid_out
    union all select connection_id, 'other_business', -"foreign" from paid_out
    union all select connection_id, 'differences', missing - explained from paid_out
    union all select connection_id, 'written_off', explained - unknown from paid_out
    union all select connection_id, debit, -amount_kobo from posted
    union all select connection_id, credit, amount_kobo from posted
  )
  select connection_id, account, sum(kobo)::bigint as kobo from held
  group by 1, 2 having sum(kobo) <> 0 order by 1, 2`;

const REFUNDED = `
  select c.id, c.refunded_kobo, sum(moved.kobo)::bigint as posted_kobo
  from charges c cross join lateral (
    select case p.debit when 'refunds' then p.amount_kobo else -p.amount_kobo end as kobo
    from refunds r join postings p on p.source = r.id
    where r.charge_id = c.id and r.capture_id = c.capture_id and 'refunds' in (p.debit, p.credit)
    union all select 0
  ) moved
  where ($1::text is null or c.id = $1) and not exists (
    select from disputes d where d.charge_id = c.id and d.status = 'lost')
  group by c.id having c.refunded_kobo <> least(c.amount_kobo, sum(moved.kobo))`;
