import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { ChargeRow } from '../charge/row.ts';
import { APPROVED_EARLIER, stillApprovableOfEach } from './refundable.ts';
import type { RefundRow } from './row.ts';

/** For a person who decides. */
export interface RefundRequest
  extends Pick<
      RefundRow,
      'requested_by' | 'first_approved_by' | 'decided_by' | 'provider_refund_id'
    >,
    Pick<ChargeRow, 'email' | 'name' | 'phone' | 'slot' | 'channel' | 'merchant_reference'>,
    Pick<ChargeRow, 'provider_reference'> {
  paid_kobo: number;
  approvable_kobo: number;
  /** What Owners approved of its charge before. */
  earlier_kobo: number;
  /** Null: nothing came in. */
  adapter: string | null;
  /** Its connection is disabled. */
  is_held: boolean;
}

type Row = Omit<RefundRequest, 'approvable_kobo'> &
  Pick<ChargeRow, 'amount_kobo' | 'refunded_kobo'> & { id: string; charge_id: string };

export async function describeRequests(
  sql: Sql,
  { tenantId, mode }: Reader,
  refunds: readonly Pick<RefundRow, 'id'>[],
): Promise<Map<string, RefundRequest>> {
  const rows = await sql.query<Row>(
    `select r.id, r.charge_id, r.requested_by, r.first_approved_by, r.decided_by, r.provider_refund_id,
       c.email, c.name, c.phone, c.slot, c.channel, c.merchant_reference, c.provider_reference, c.amount_kobo, c.refunded_kobo,
       coalesce(least(c.amount_kobo, paid.amount_kobo), 0)::bigint as paid_kobo,
       ${APPROVED_EARLIER} as earlier_kobo, k.adapter, k.disabled_at is not null as is_held
     from refunds r
       join charges c on c.id = r.charge_id
       left join captures paid on paid.charge_id = c.id and paid.status = 'applied'
       left join connections k on k.id = paid.connection_id
     where r.id = any($3) and r.tenant_id = $1 and r.mode = $2`,
    [tenantId, mode, refunds.map(({ id }) => id)],
  );
  const charges = rows.map((row) => ({ ...row, id: row.charge_id }));
  const approvable = await stillApprovableOfEach(sql, charges);
  return new Map(
    rows.map((row) => [row.id, { ...row, approvable_kobo: approvable.get(row.charge_id)! }]),
  );
}

/** Ids of who asked and who decided. */
export function peopleOf(requests: ReadonlyMap<string, RefundRequest>): (string | null)[] {
  return [...requests.values()].flatMap((one) => [
    one.requested_by,
    one.first_approved_by,
    one.decided_by,
  ]);
}
