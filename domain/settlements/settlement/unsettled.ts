/**
 * SQL: unsettled payments of connection `$1` after fees, with what is owed of them (`$2`: deducts
 * refunds). Left out: what went back before its payout, which its provider deducts itself, and what
 * its provider does not know, a discrepancy of its own.
 */
export const UNSETTLED = unsettledOf('captures');

/** SQL: `captures` names rows with the columns of captures. */
export function unsettledOf(captures: string): string {
  return `
  select * from (
    select k.id, k.charge_id, k.attempt_id, k.provider_payment_id, k.settles_on, k.amount_kobo,
      coalesce(k.fee_kobo, 0) as fee_kobo, k.amount_kobo - coalesce(k.fee_kobo, 0) as net_kobo,
      coalesce(case when $2::boolean then refunds.kobo - refunds.deducted_kobo end, 0)
        as owed_refunds_kobo,
      coalesce(chargebacks.kobo - chargebacks.deducted_kobo, 0) as owed_chargebacks_kobo,
      coalesce(case when $2::boolean then refunds.kobo end, 0) + coalesce(chargebacks.kobo, 0)
        as gone_kobo,
      coalesce(refunds.deducted_kobo, 0) + coalesce(chargebacks.deducted_kobo, 0) as deducted_kobo
    from ${captures} k
    cross join lateral (
      select sum(amount_kobo) as kobo, sum(deducted_kobo) as deducted_kobo
      from refunds where capture_id = k.id and status = 'completed'
    ) refunds
    cross join lateral (
      select sum(coalesce(amount_kobo, k.amount_kobo)) as kobo, sum(deducted_kobo) as deducted_kobo
      from disputes where capture_id = k.id and status = 'lost'
    ) chargebacks
    where k.connection_id = $1 and k.settlement_id is null and k.settles_on is not null
  ) unsettled
  where (gone_kobo < amount_kobo or deducted_kobo > 0)
    and not ${hasDiscrepancy('unknown_at_provider', 'open')}
    and not ${hasDiscrepancy('unknown_at_provider', 'closed')}`;
}

/** SQL. Each status has its own index. */
export function hasDiscrepancy(kind: 'missing' | 'unknown_at_provider', status: 'open' | 'closed') {
  return `exists (select from discrepancies d where d.connection_id = $1 and d.kind = '${kind}'
    and d.subject = unsettled.id and d.status = '${status}')`;
}
