import type { Tx } from '../../shared/tx.ts';

/** SQL: lines with their payments. A fee that one side states counts for both. */
const LINES = (settlement: string) => `
  select l.id, l.settlement_id, l.provider_payment_id, l.reference, l.charge_id, l.capture_id,
    l.is_foreign, l.amount_kobo as line_kobo, coalesce(l.fee_kobo, k.fee_kobo, 0) as line_fee_kobo,
    k.amount_kobo as own_kobo, coalesce(k.fee_kobo, l.fee_kobo, 0) as own_fee_kobo,
    coalesce(k.settlement_id = l.settlement_id, false) as is_own, k.settlement_id as paid_out_in
  from settlement_lines l left join captures k on k.id = l.capture_id
  where l.settlement_id = ${settlement}`;

/** Kobo. `gross` and `fee` by our records. */
export interface LineSums {
  grossKobo: number;
  feeKobo: number;
  count: number;
  foreignKobo: number;
  foreignCount: number;
  /** Everything after fees, as stated. */
  netKobo: number;
}

export async function sumLines({ sql }: Pick<Tx, 'sql'>, settlementId: string): Promise<LineSums> {
  const [sums] = await sql.query<LineSums>(
    `select coalesce(sum(own_kobo) filter (where is_own), 0)::bigint as "grossKobo",
       coalesce(sum(own_fee_kobo) filter (where is_own), 0)::bigint as "feeKobo",
       count(*) filter (where is_own) as count,
       coalesce(sum(line_kobo - line_fee_kobo) filter (where is_foreign), 0)::bigint
         as "foreignKobo",
       count(*) filter (where is_foreign) as "foreignCount",
       coalesce(sum(line_kobo - line_fee_kobo), 0)::bigint as "netKobo"
     from (${LINES('$1')}) line`,
    [settlementId],
  );
  return sums!;
}

/**
 * SQL: lines of settlement `$2`, day `$3`, whose net differs. An equal difference of amount and fee
 * is a fee the payer bore. An unknown payment belongs to the first settlement that names it; others
 * pay it out again.
 */
export const LINE_DIFFERENCES = `
  select kind, subject, line.settlement_id, line.id as line_id, line.charge_id, line.reference,
    coalesce(differing.amount_kobo, abs(difference_kobo)) as amount_kobo, difference_kobo,
    $3::date as day, ours_kobo, theirs_kobo, other
  from (
    select * from (${LINES('$2')}) line
    where capture_id is null or not is_own or own_kobo <> line_kobo
      or own_fee_kobo <> line_fee_kobo
  ) line
  left join (
    select distinct on (provider_payment_id) provider_payment_id as payment_id,
      settlement_id as first_in
    from settlement_lines where connection_id = $1 and needs_rematch
    order by provider_payment_id, id
  ) unknown on capture_id is null and not is_foreign and payment_id = provider_payment_id
  cross join lateral (
    select 'never_notified' as kind, provider_payment_id as subject, line_kobo as amount_kobo,
      line_fee_kobo - line_kobo as difference_kobo, null::bigint as ours_kobo,
      line_kobo as theirs_kobo, charge_id as other
    where first_in = settlement_id
    union all
    select 'amount_mismatch', settlement_id || '/' || provider_payment_id, null,
      line_fee_kobo - line_kobo, null, line_kobo, coalesce(paid_out_in, first_in)
    where (capture_id is not null and not is_own) or first_in <> settlement_id
    union all
    select 'amount_mismatch', settlement_id || '/' || provider_payment_id, null,
      own_kobo - line_kobo, own_kobo, line_kobo, null
    where is_own and own_kobo <> line_kobo and own_kobo - own_fee_kobo <> line_kobo - line_fee_kobo
    union all
    select 'fee_mismatch', settlement_id || '/' || provider_payment_id, null,
      line_fee_kobo - own_fee_kobo, own_fee_kobo, line_fee_kobo, null
    where is_own and own_fee_kobo <> line_fee_kobo
      and own_kobo - own_fee_kobo <> line_kobo - line_fee_kobo
  ) differing`;
