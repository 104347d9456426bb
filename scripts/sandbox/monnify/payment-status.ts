import { hasEnded } from '../payments.ts';
import type { Payment } from '../records.ts';

export type PaymentStatus =
  | 'PENDING'
  | 'PAID'
  | 'OVERPAID'
  | 'PARTIALLY_PAID'
  | 'FAILED'
  | 'EXPIRED'
  | 'REVERSED';

/** What Monnify calls the state of a payment. */
export function paymentStatus(sale: Payment, now: Date): PaymentStatus {
  if (sale.paidKobo === null)
    return sale.status === 'failed' ? 'FAILED' : hasEnded(sale, now) ? 'EXPIRED' : 'PENDING';
  return sale.refundedKobo >= sale.paidKobo
    ? 'REVERSED'
    : paidStatus(sale.paidKobo, sale.requestedKobo + sale.payerFeeKobo);
}

/** What it calls the state of one whose money came and stayed. */
export function paidStatus(paidKobo: number, payableKobo: number): PaymentStatus {
  if (paidKobo === payableKobo) return 'PAID';
  return paidKobo > payableKobo ? 'OVERPAID' : 'PARTIALLY_PAID';
}

const received = `paid_at is not null and refunded_kobo < paid_kobo
  and sign(paid_kobo - requested_kobo - payer_fee_kobo) = ?`;

/**
 * The conditions that only payments of a status meet; a status that no payment can have finds none.
 */
export function ofStatus(status: string | undefined, now: Date): Record<string, unknown> {
  const conditions: Record<PaymentStatus, Record<string, unknown>> = {
    PENDING: { 'outcome = ?': 'open', 'link_expires_at > ?': now },
    EXPIRED: { 'outcome = ?': 'open', 'link_expires_at <= ?': now },
    FAILED: { 'outcome = ?': 'failed' },
    PAID: { [received]: 0 },
    OVERPAID: { [received]: 1 },
    PARTIALLY_PAID: { [received]: -1 },
    REVERSED: { '(paid_at is not null and refunded_kobo >= paid_kobo) = ?': true },
  };
  if (status === undefined) return {};
  return Object.hasOwn(conditions, status) ? conditions[status as PaymentStatus] : { 'id = ?': 0 };
}
