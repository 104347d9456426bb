import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { RefundRow } from './row.ts';

/** What a person who decides about a refund needs to know besides the refund itself. Kobo. */
export interface RefundRequest {
  id: string;
  requested_by: string;
  decided_by: string | null;
  attention: string | null;
  /** Of the charge. */
  charge_amount_kobo: number;
  charge_status: string;
  /** What came in, and what of it went back or is on its way, this refund not counted. */
  paid_kobo: number;
  returned_kobo: number;
  email: string;
  merchant_reference: string | null;
  slot: string;
}

/** The same of several refunds of a tenant, by their ids. */
export async function describeRequests(
  sql: Sql,
  { tenantId, mode }: Reader,
  refunds: readonly Pick<RefundRow, 'id'>[],
): Promise<Map<string, RefundRequest>> {
  const rows = await sql.query<RefundRequest>(
    `select r.id, r.requested_by, r.decided_by, r.attention,
       c.amount_kobo as charge_amount_kobo, c.status as charge_status, c.email,
       c.merchant_reference, c.slot,
       coalesce(least(c.amount_kobo, paid.amount_kobo), 0)::bigint as paid_kobo,
       greatest(c.refunded_kobo, other.completed)::bigint + other.pending as returned_kobo
     from refunds r
       join charges c on c.id = r.charge_id
       left join captures paid on paid.charge_id = c.id and paid.status = 'applied',
       lateral (
         select
           coalesce(sum(o.amount_kobo) filter (where o.status = 'completed'), 0)::bigint
             as completed,
           coalesce(sum(o.amount_kobo) filter (where o.status in
             ('approved', 'sending', 'unconfirmed', 'unresolved', 'processing',
               'needs_attention')), 0)::bigint as pending
         from refunds o
         where o.charge_id = c.id and o.id <> r.id and o.origin <> 'system') other
     where r.id = any($3) and r.tenant_id = $1 and r.mode = $2`,
    [tenantId, mode, refunds.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
