import type { ProviderCapture } from '../../providers/capture.ts';
import type { FieldsOf, RowOf } from '../../shared/columns.ts';
import type { Slot } from '../../shared/slot.ts';
import type { Capture } from '../entities/capture.ts';

export type CaptureRow = RowOf<typeof Capture>;

type CaptureFields = FieldsOf<typeof Capture>;

/** Money a provider really took, as one attempt's provider states it. */
export interface StatedCapture
  extends Omit<ProviderCapture, 'capturedAt'>,
    Pick<CaptureFields, 'attemptId' | 'connectionId' | 'capturedAt'> {
  /** The id it gets when it is not on record yet. */
  captureId: string;
  /** The reference we sent, and when we made the attempt. */
  attemptReference: string;
  attemptedAt: Date;
  slot: Slot;
}

/**
 * A capture that is on record. A provider's payment id names one capture of a connection for ever.
 */
export type KnownCapture = Pick<
  CaptureFields,
  'id' | 'chargeId' | 'connectionId' | 'providerPaymentId' | 'status' | 'amountKobo' | 'feeKobo'
>;

/** All that the payer paid, and so all of it that can go back where it does not pay its charge. */
export function paidInAll(payment: {
  amountKobo: number;
  payerFeeKobo?: number | undefined;
}): number {
  return payment.amountKobo + (payment.payerFeeKobo ?? 0);
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
