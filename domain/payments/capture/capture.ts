import type { ProviderCapture } from '../../providers/port/payment.ts';
import type { FieldsOf, RowOf } from '../../shared/columns.ts';
import type { Slot } from '../../shared/slot.ts';
import type { Capture } from '../entities/capture.ts';

export type CaptureRow = RowOf<typeof Capture>;

type CaptureFields = FieldsOf<typeof Capture>;

export interface StatedCapture
  extends Omit<ProviderCapture, 'capturedAt'>,
    Pick<CaptureFields, 'attemptId' | 'connectionId' | 'capturedAt'> {
  captureId: string;
  attemptReference: string;
  attemptedAt: Date;
  slot: Slot;
}

/** A provider's payment id names one capture of a connection for ever. */
export type KnownCapture = Pick<
  CaptureFields,
  | 'id'
  | 'chargeId'
  | 'connectionId'
  | 'providerPaymentId'
  | 'status'
  | 'amountKobo'
  | 'payerFeeKobo'
  | 'feeKobo'
  | 'keptKobo'
>;

export type RecordedCapture = KnownCapture &
  Pick<CaptureFields, 'attemptId' | 'currency' | 'capturedAt' | 'recordedAt'>;

/**
 * Where the provider asked the payer for more than `askedKobo`, the rest is the fee, which the
 * payer bore. What is paid out beyond a fee is none: it was paid too much.
 */
export function withoutPayersFee<
  Stated extends Pick<ProviderCapture, 'amountKobo' | 'feeKobo' | 'payableKobo' | 'payerFeeKobo'>,
>({ payableKobo, ...stated }: Stated, askedKobo: number): Omit<Stated, 'payableKobo'> {
  const { amountKobo, feeKobo } = stated;
  const payerFeeKobo = (payableKobo ?? 0) - askedKobo;
  const isFee = feeKobo === null || payerFeeKobo <= feeKobo + ROUNDING_KOBO;
  if (payerFeeKobo <= 0 || payerFeeKobo >= amountKobo || !isFee) return stated;
  return {
    ...stated,
    amountKobo: amountKobo - payerFeeKobo,
    payerFeeKobo,
    feeKobo: Math.max(0, (feeKobo ?? 0) - payerFeeKobo),
  };
}

/** Both sides round to the kobo. */
const ROUNDING_KOBO = 1;

/** All that can go back of a payment that does not pay its charge. */
export function paidInAll(payment: { amountKobo: number; payerFeeKobo?: number | undefined }) {
  return payment.amountKobo + (payment.payerFeeKobo ?? 0);
}

/** A charge's own payment keeps the fee its payer bore. */
export function returnableOf(
  payment: { amountKobo: number; payerFeeKobo?: number | undefined },
  isApplied: boolean,
): number {
  return isApplied ? payment.amountKobo : paidInAll(payment);
}

/**
 * What of a payment, what went back included, is not the charge's. A refunded charge kept what went
 * back of it: less than its amount where less was accepted.
 */
export function excessOf(
  charge: { amountKobo: number; refundedKobo: number; status: string },
  payment: { isApplied: boolean; paidKobo: number },
): number {
  if (!payment.isApplied) return payment.paidKobo;
  const keptKobo = charge.status === 'refunded' ? charge.refundedKobo : charge.amountKobo;
  return payment.paidKobo - keptKobo;
}

/** Approved, sent and completed refunds, and lost disputes. */
export interface ReturnSums {
  sentKobo: number;
  systemKobo: number;
  /** System refunds that the provider was not asked for yet. */
  waitingKobo: number;
}

/** In kobo; not above 0: nothing. */
export function leftToReturn(
  { sentKobo, systemKobo, waitingKobo }: ReturnSums,
  { paidKobo, excessKobo }: { paidKobo: number; excessKobo: number },
): number {
  return Math.min(excessKobo - systemKobo, paidKobo - sentKobo - waitingKobo);
}
