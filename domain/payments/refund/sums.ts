import type { Sql } from '../../shared/sql.ts';
import type { ReturnSums } from '../capture/capture.ts';
import { committedRefundStatuses, sentRefundStatuses } from './transitions.ts';

/** Completed refunds of a charge's own payment, and its amount; both 0 without one. */
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

/** `fromBankKobo` of what was sent the provider knows nothing. The charge must be locked. */
export async function sumReturns(sql: Sql, captureId: string, exceptRefundId = '') {
  const [sums] = await sql.query<ReturnSums & { fromBankKobo: number }>(
    `with live as (
       select amount_kobo, status, origin, paid_from from refunds
       where capture_id = $1 and id <> $2
         and (status = any($3) or status = 'completed')
     ), lost as (
       select amount_kobo as kobo from disputes where capture_id = $1 and status = 'lost'
     )
     select (coalesce((select sum(amount_kobo) from live where status <> 'approved'), 0)
         + coalesce((select sum(kobo) from lost), 0))::bigint as "sentKobo",
       (select coalesce(sum(amount_kobo), 0) from live
         where paid_from = 'bank')::bigint as "fromBankKobo",
       (select coalesce(sum(amount_kobo), 0) from live
         where origin = 'system')::bigint as "systemKobo",
       (select coalesce(sum(amount_kobo), 0) from live
         where origin = 'system' and status = 'approved')::bigint as "waitingKobo"`,
    [captureId, exceptRefundId, committedRefundStatuses],
  );
  return sums!;
}

/** SQL: all that can go back of payment `k`, as `returnableOf`. */
const PAID = `k.amount_kobo + case k.status when 'applied' then 0 else k.payer_fee_kobo end`;

/** In kobo: what completed refunds have not sent back. */
export async function leftOfCapture(sql: Sql, captureId: string): Promise<number> {
  const [left] = await sql.query<{ kobo: number }>(
    `select (${PAID} - (
       select coalesce(sum(amount_kobo), 0) from refunds
       where capture_id = $1 and status = 'completed'
     ))::bigint as kobo
     from captures k where id = $1`,
    [captureId],
  );
  return left!.kobo;
}

/** Payments of which less than was paid went back through the provider by our records. */
export function findUnexplained(
  sql: Sql,
  connectionId: string,
  providerPaymentIds: readonly string[],
): Promise<{ charge_id: string }[]> {
  return sql.query<{ charge_id: string }>(
    `select k.charge_id from captures k
     where k.connection_id = $1 and k.provider_payment_id = any($2) and ${PAID}
       > (select coalesce(sum(amount_kobo), 0) from refunds where capture_id = k.id
           and (status = any($3) or status = 'completed') and paid_from is distinct from 'bank')
       + (select coalesce(sum(amount_kobo), 0) from disputes where capture_id = k.id
           and status = 'lost')`,
    [connectionId, providerPaymentIds, sentRefundStatuses],
  );
}
