import { newId } from '../../shared/ids.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { by, withId, writeStatus } from './store.ts';
import { committedRefundStatuses } from './transitions.ts';

/* Refunds that somebody made at the provider, and payments that it took back by itself. */

export interface RefundedPayment {
  captureId: string;
  connectionId: string;
  charge: { id: string; tenant_id: string; mode: string };
}

/** By our id where the answer to our request was lost, or else by the provider's. */
export async function claimListedRefund(
  { sql }: Tx,
  { captureId, connectionId, charge }: RefundedPayment,
  listed: { providerRefundId: string; refundId: string | null },
): Promise<string | undefined> {
  const known = await sql.query<{ id: string }>(
    `update refunds set connection_id = $2, capture_id = $5 where charge_id = $1
       and ((connection_id = $2 and provider_refund_id = $3)
         or (id = $4 and provider_refund_id is null and status = any($6)))
     returning id`,
    [
      charge.id,
      connectionId,
      listed.providerRefundId,
      listed.refundId,
      captureId,
      [...committedRefundStatuses, 'failed'],
    ],
  );
  return (known.find(({ id }) => id === listed.refundId) ?? known[0])?.id;
}

/** As if it were sent just now. Returns its id. */
export function insertProviderRefund(
  tx: Tx,
  payment: RefundedPayment,
  { providerRefundId, amountKobo }: { providerRefundId: string; amountKobo: number },
): Promise<string> {
  const reason = 'Refunded at the provider, not through this service.';
  return insertFromProvider(tx, payment, { providerRefundId, amountKobo, reason });
}

/** Returns its id. */
export function insertReversal(tx: Tx, payment: RefundedPayment, amountKobo: number) {
  const reason = 'The provider reversed the payment by itself.';
  return insertFromProvider(tx, payment, { providerRefundId: null, amountKobo, reason });
}

async function insertFromProvider(
  { sql, now }: Tx,
  { captureId, connectionId, charge }: RefundedPayment,
  refund: { providerRefundId: string | null; amountKobo: number; reason: string },
): Promise<string> {
  const id = newId('ref', now);
  const { id: chargeId, tenant_id: tenantId, mode } = charge;
  const owner = { tenantId, mode, chargeId, captureId, connectionId };
  await insertSent(sql, { id, ...owner, ...refund, now });
  return id;
}

const insertSent = statement(
  `insert into refunds (id, tenant_id, mode, charge_id, capture_id, connection_id,
     provider_refund_id, amount_kobo, reason, status, origin, requested_by, sent_at, created_at)
   values (:id, :tenantId, :mode, :chargeId, :captureId, :connectionId, :providerRefundId,
     :amountKobo, :reason, 'sending', 'provider', 'provider', :now, :now)`,
);

const REVERSAL = `capture_id = $1 and origin = 'provider' and provider_refund_id is null
  and status = 'completed'`;

const RETURNED_THERE = `capture_id = $1 and origin = 'system' and provider_refund_id is null
  and status = 'completed' and paid_from = 'provider'`;

/**
 * The reversal, or the return of which a person told, that a listed refund of the same amount turns
 * out to be gets its id.
 */
export async function claimReversal(
  { sql }: Tx,
  { captureId }: RefundedPayment,
  { providerRefundId, amountKobo }: { providerRefundId: string; amountKobo: number },
): Promise<string | undefined> {
  const [known] = await sql.query<{ id: string }>(
    `update refunds set provider_refund_id = $2
     where id = (select id from refunds where (${REVERSAL} or ${RETURNED_THERE})
       and amount_kobo = $3 order by id limit 1)
     returning id`,
    [captureId, providerRefundId, amountKobo],
  );
  return known?.id;
}

/** In kobo: what nothing else explains. */
export async function reversedOf(sql: Sql, captureId: string): Promise<number> {
  const [reversed] = await sql.query<{ kobo: number }>(
    `select coalesce(sum(amount_kobo), 0)::bigint as kobo from refunds where ${REVERSAL}`,
    [captureId],
  );
  return reversed!.kobo;
}

/**
 * A refund or lost dispute turned out to be what sent it back. Cancels a reversal of which nothing
 * is left. Returns how much was taken off.
 */
export async function reduceReversals(tx: Tx, captureId: string, kobo: number): Promise<number> {
  const { sql } = tx;
  const reversals = await sql.query<{ id: string; kobo: number }>(
    `select id, amount_kobo as kobo from refunds where ${REVERSAL} order by id desc`,
    [captureId],
  );
  let left = kobo;
  for (const reversal of reversals) {
    if (left <= 0) break;
    await (left < reversal.kobo
      ? sql.query('update refunds set amount_kobo = amount_kobo - $2 where id = $1', [
          reversal.id,
          left,
        ])
      : writeStatus(tx, by('recorded twice'), withId(reversal.id), {
          rejection_reason: EXPLAINED,
        }));
    left -= Math.min(left, reversal.kobo);
  }
  return kobo - left;
}

const EXPLAINED = 'A refund or a lost dispute sent this money back; it was recorded twice.';
