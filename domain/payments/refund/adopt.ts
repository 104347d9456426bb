import type { Job } from '../../jobs.ts';
import type { ProviderRefund } from '../../providers/provider.ts';
import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/tx.ts';
import { recordRefund } from './record.ts';

/** A payment whose refunds were listed. */
export interface RefundedPayment {
  connectionId: string;
  providerPaymentId: string;
}

interface Taken {
  id: string;
  charge_id: string;
  tenant_id: string;
  mode: string;
}

/**
 * Records every refund a provider lists for a payment: those of ours move on, those begun elsewhere are taken in, so that nothing is
 * sent back twice. A payment we do not hold is none of ours. Safe to repeat. Returns the jobs to enqueue after the commit.
 */
export async function recordListedRefunds(
  tx: Tx,
  payment: RefundedPayment,
  listed: readonly ProviderRefund[],
): Promise<Job[]> {
  const capture = await lockCapture(tx, payment);
  if (!capture) return [];
  const jobs: Job[] = [];
  for (const refund of listed) {
    const id =
      (await takeKnown(tx, capture, payment, refund)) ??
      (await adopt(tx, capture, payment, refund));
    if (id !== undefined) jobs.push(...(await recordRefund(tx, id, { type: 'stated', refund })));
  }
  return jobs;
}

/** The charge's lock comes first, as everywhere: of two that list at once, one takes a foreign refund in. */
async function lockCapture(
  { sql }: Tx,
  { connectionId, providerPaymentId }: RefundedPayment,
): Promise<Taken | undefined> {
  const values = [connectionId, providerPaymentId];
  await sql.query(
    `select 1 from charges
     where id = (select charge_id from captures where connection_id = $1 and provider_payment_id = $2) for update`,
    values,
  );
  const [capture] = await sql.query<Taken>(
    `select captures.id, charge_id, tenant_id, mode from captures join charges on charges.id = charge_id
     where captures.connection_id = $1 and provider_payment_id = $2`,
    values,
  );
  return capture;
}

/** By the provider's id, or by our own where its record carries it: then the answer to our sending was lost. */
async function takeKnown(
  { sql }: Tx,
  capture: Taken,
  { connectionId }: RefundedPayment,
  refund: ProviderRefund,
): Promise<string | undefined> {
  const [known] = await sql.query<{ id: string }>(
    `update refunds set connection_id = $2, capture_id = $5 where charge_id = $1
       and ((connection_id = $2 and provider_refund_id = $3)
         or (id = $4 and provider_refund_id is null and status in ('approved', 'processing', 'failed')))
     returning id`,
    [capture.charge_id, connectionId, refund.providerRefundId, refund.refundId, capture.id],
  );
  return known?.id;
}

/** What failed elsewhere moved no money and is not taken in. */
async function adopt(
  { sql, now }: Tx,
  capture: Taken,
  { connectionId }: RefundedPayment,
  { providerRefundId, amountKobo, state }: ProviderRefund,
): Promise<string | undefined> {
  if (state === 'failed' || amountKobo === 0) return undefined;
  const id = newId('ref', now);
  await sql.query(
    `insert into refunds (id, tenant_id, mode, charge_id, capture_id, connection_id, provider_refund_id, amount_kobo, reason, status, origin,
       requested_by, sent_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'Refunded at the provider, not through this service.', 'processing', 'provider', 'provider', $9, $9)`,
    [
      id,
      capture.tenant_id,
      capture.mode,
      capture.charge_id,
      capture.id,
      connectionId,
      providerRefundId,
      amountKobo,
      now,
    ],
  );
  return id;
}
