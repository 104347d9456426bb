import type { CaptureStatus } from './transitions.ts';

/** Money a provider really took, as one attempt's provider states it. */
export interface StatedCapture {
  /** The id it gets when it is not on record yet. */
  captureId: string;
  attemptId: string;
  /** The reference we sent, and the one the payment carries. */
  attemptReference: string;
  reference: string;
  attemptedAt: Date;
  connectionId: string;
  slot: string;
  providerPaymentId: string;
  /** What counts towards the charge: fees the payer bore on top are not in it. */
  amountKobo: number;
  /** Null while the provider has not stated it. */
  feeKobo: number | null;
  currency: string;
  channel: string;
  mode: string | null;
  createdAt: Date | null;
  capturedAt: Date;
}

/**
 * A capture that is on record. A provider's payment id names one capture of a connection for ever.
 */
export interface KnownCapture {
  id: string;
  chargeId: string;
  connectionId: string;
  providerPaymentId: string;
  status: CaptureStatus;
  amountKobo: number;
  feeKobo: number | null;
}

/**
 * What of a payment its charge does not need: all but the amount of an applied one, all of any
 * other, and all once the charge is refunded.
 */
export function excessOf(
  charge: { amount_kobo: number; status: string },
  payment: { isApplied: boolean; paidKobo: number },
): number {
  const isNeeded = payment.isApplied && charge.status !== 'refunded';
  return isNeeded ? payment.paidKobo - charge.amount_kobo : payment.paidKobo;
}
