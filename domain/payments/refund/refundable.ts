import { providerNamed } from '../../providers/registry.ts';
import { Problem } from '../../shared/problems.ts';
import type { Sql } from '../../shared/sql.ts';
import type { ChargeRow } from '../charge/row.ts';
import type { ChargeStatus } from '../charge/transitions.ts';
import { committedRefundStatuses, pendingRefundStatuses } from './transitions.ts';

export interface RefundSums {
  /** Less than was asked where a person accepted that. */
  paidKobo: number;
  completedKobo: number;
  pendingKobo: number;
}

/** Never below 0. Completed refunds count once, whether the charge records them already or not. */
export function refundableOf(
  charge: Pick<ChargeRow, 'amount_kobo' | 'refunded_kobo'>,
  { paidKobo, completedKobo, pendingKobo }: RefundSums,
): number {
  return Math.max(
    0,
    Math.min(charge.amount_kobo, paidKobo) -
      Math.max(charge.refunded_kobo, completedKobo) -
      pendingKobo,
  );
}

/** Requests that wait count as refunded. */
export async function stillRefundable(sql: Sql, charge: ChargeRow): Promise<number> {
  return (await refundableOfEach(sql, [charge], pendingRefundStatuses)).get(charge.id)!;
}

/** Requests that wait do not count, so that one that fits alone may be approved. */
export async function stillApprovable(sql: Sql, charge: ChargeRow): Promise<number> {
  return (await stillApprovableOfEach(sql, [charge])).get(charge.id)!;
}

export function stillApprovableOfEach(
  sql: Sql,
  charges: readonly RefundedCharge[],
): Promise<Map<string, number>> {
  return refundableOfEach(sql, charges, committedRefundStatuses);
}

type RefundedCharge = Pick<ChargeRow, 'id' | 'amount_kobo' | 'refunded_kobo'>;

async function refundableOfEach(
  sql: Sql,
  charges: readonly RefundedCharge[],
  pending: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql.query<{
    id: string;
    paid: number | null;
    completed: number;
    pending: number;
  }>(
    `select c.id, paid.amount_kobo as paid,
       coalesce(sum(r.amount_kobo) filter (where r.status = 'completed'), 0)::bigint as completed,
       coalesce(sum(r.amount_kobo) filter (where r.status = any($2)), 0)::bigint as pending
     from unnest($1::text[]) as c (id)
       left join captures paid on paid.charge_id = c.id and paid.status = 'applied'
       left join refunds r on r.charge_id = c.id and r.origin <> 'system'
         and (r.capture_id is null or r.capture_id = paid.id)
     group by c.id, paid.amount_kobo`,
    [charges.map(({ id }) => id), pending],
  );
  const sums = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    charges.map((charge) => {
      const { paid, completed, pending: pendingKobo } = sums.get(charge.id)!;
      const paidKobo = paid ?? charge.amount_kobo;
      return [charge.id, refundableOf(charge, { paidKobo, completedKobo: completed, pendingKobo })];
    }),
  );
}

/** SQL: what goes back of the charge of the refund, dispute or review `r` beside it, in kobo. */
export const APPROVED_EARLIER = `(
  select coalesce(sum(e.amount_kobo), 0)::bigint from (
    select id, amount_kobo from refunds where charge_id = r.charge_id
      and status in ('completed', ${committedRefundStatuses.map((status) => `'${status}'`).join(', ')})
    union all select d.id, d.amount_kobo from disputes d where d.charge_id = r.charge_id
      and (d.status = 'lost' or exists (select from dispute_responses a where a.dispute_id = d.id
        and a.kind = 'acceptance' and a.status not in ('requested', 'refused')))
  ) e where e.id <> r.id)`;

/** The charge must be locked. */
export async function approvedEarlier(
  sql: Sql,
  table: 'disputes' | 'refunds' | 'reviews',
  id: string,
): Promise<number> {
  const [earlier] = await sql.query<{ kobo: number }>(
    `select ${APPROVED_EARLIER} as kobo from ${table} r where r.id = $1`,
    [id],
  );
  return earlier!.kobo;
}

/** Null: it can. */
const obstacles: Record<ChargeStatus, string | null> = {
  initiated: 'The charge is not paid yet, so there is nothing to refund.',
  pending: 'The charge is not paid yet, so there is nothing to refund.',
  succeeded: null,
  settled: null,
  failed: 'The charge failed: no money came that could go back.',
  refunded: 'The charge was refunded in full already.',
  disputed: 'The charge is disputed: its money is held until the dispute is decided.',
};

export async function obstacleTo(sql: Sql, charge: PaidCharge): Promise<string | null> {
  const { status, channel, connection_id: connectionId } = charge;
  const obstacle = obstacles[status];
  if (obstacle !== null || channel === null) return obstacle;
  const [connection] = await sql.query<{ adapter: string }>(
    'select adapter from connections where id = $1',
    [connectionId],
  );
  return connection ? providerNamed(connection.adapter).refundObstacle(channel) : null;
}

type PaidCharge = Pick<ChargeRow, 'status' | 'channel' | 'connection_id'>;

/** Throws `invalid_state`. */
export async function requireRefundable(sql: Sql, charge: PaidCharge): Promise<void> {
  const obstacle = await obstacleTo(sql, charge);
  if (obstacle !== null) throw new Problem('invalid_state', obstacle);
}
