import type { Sql } from '../../shared/sql.ts';
import { committedRefundStatuses } from './transitions.ts';

/**
 * What goes back of one payment: refunds that are approved, sent or completed, and lost disputes.
 */
export interface ReturnSums {
  /** Refunds that the provider was asked for, and disputes that the payer's bank decided. */
  sentKobo: number;
  /** All refunds the service makes by itself. */
  systemKobo: number;
  /** Those of them that the provider was not asked for yet. */
  waitingKobo: number;
}

/**
 * Sums the completed refunds of a charge's own payment, and says how much that payment is. Both are
 * 0 while there is no payment.
 */
export async function refundedOf(
  sql: Sql,
  chargeId: string,
): Promise<{ totalKobo: number; paidKobo: number }> {
  const [sums] = await sql.query<{ totalKobo: number; paidKobo: number }>(
    `select coalesce(sum(r.amount_kobo), 0)::bigint as "totalKobo",
     coalesce(max(k.amount_kobo), 0)::bigint as "paidKobo"
     from charges c join captures k on k.id = c.capture_id
     left join refunds r on r.charge_id = c.id and r.capture_id = k.id and r.status = 'completed'
       and r.origin <> 'system'
     where c.id = $1`,
    [chargeId],
  );
  return sums!;
}

/** Sums what goes back of a payment, without one refund. The charge must be locked. */
export async function sumReturns(
  sql: Sql,
  captureId: string,
  exceptRefundId = '',
): Promise<ReturnSums> {
  const [sums] = await sql.query<ReturnSums>(
    `with live as (
       select amount_kobo, status, origin from refunds where capture_id = $1 and id <> $2
         and (status = any($3) or status = 'completed')
     ), lost as (
       select coalesce(disputes.amount_kobo, captures.amount_kobo) as kobo
         from disputes join captures on captures.id = capture_id
       where capture_id = $1 and disputes.status = 'lost'
     )
     select (coalesce((select sum(amount_kobo) from live where status <> 'approved'), 0)
         + coalesce((select sum(kobo) from lost), 0))::bigint as "sentKobo",
       (select coalesce(sum(amount_kobo), 0) from live
         where origin = 'system')::bigint as "systemKobo",
       (select coalesce(sum(amount_kobo), 0) from live
         where origin = 'system' and status = 'approved')::bigint as "waitingKobo"`,
    [captureId, exceptRefundId, committedRefundStatuses],
  );
  return sums!;
}

/** The part of a payment, in kobo, that completed refunds have not sent back. */
export async function leftOfCapture(sql: Sql, captureId: string): Promise<number> {
  const [left] = await sql.query<{ kobo: number }>(
    `select (amount_kobo - (
       select coalesce(sum(amount_kobo), 0) from refunds
       where capture_id = $1 and status = 'completed'
     ))::bigint as kobo
     from captures where id = $1`,
    [captureId],
  );
  return left!.kobo;
}
