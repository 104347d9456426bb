import type { Sql } from '../../shared/sql.ts';
import { committedRefundStatuses } from './transitions.ts';

/** What went of one payment, or may be on its way, the service's own and others. All kobo. */
export interface Gone {
  /**
   * Asked of the provider, or decided against the merchant by the payer's bank: as much less is
   * there to send back.
   */
  sentKobo: number;
  /**
   * Of what the service sends back by itself: all of it, and the part that was not asked for yet.
   */
  systemKobo: number;
  waitingKobo: number;
}

/**
 * What completed refunds have sent back of a charge's own payment, and what that payment is: both
 * nothing while there is none. All kobo.
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

/** Counts what went of a payment, but for one refund. The charge must be locked. */
export async function goneOf(sql: Sql, captureId: string, butRefundId = ''): Promise<Gone> {
  const [gone] = await sql.query<Gone>(
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
    [captureId, butRefundId, committedRefundStatuses],
  );
  return gone!;
}

/** What of a payment completed refunds have not sent back. */
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
