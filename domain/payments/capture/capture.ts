import type { ProviderCapture } from '../../providers/port/payment.ts';
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
  | 'id'
  | 'chargeId'
  | 'connectionId'
  | 'providerPaymentId'
  | 'status'
  | 'amountKobo'
  | 'payerFeeKobo'
  | 'feeKobo'
>;

/**
 * The payment as its charge of `askedKobo` counts it. Where its provider asked the payer for more
 * than that, the rest is the fee, which the payer bore. The merchant is paid out less than a fee,
 * so what is paid out is none: it was paid too much.
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

/** What was asked of the payer and what is paid out are both rounded to the kobo. */
const ROUNDING_KOBO = 1;

/** All that the payer paid, and so all of it that can go back where it does not pay its charge. */
export function paidInAll(payment: {
  amountKobo: number;
  payerFeeKobo?: number | undefined;
}): number {
  return payment.amountKobo + (payment.payerFeeKobo ?? 0);
}

/** The most that can go back of a payment. Its charge's own one keeps the fee its payer bore. */
export function returnableOf(
  payment: { amountKobo: number; payerFeeKobo?: number | undefined },
  isApplied: boolean,
): number {
  return isApplied ? payment.amountKobo : paidInAll(payment);
}

/**
 * What of a payment does not belong to its charge, what went back of that included: of an applied
 * one all but the amount of the charge, of any other all. A charge that was refunded kept as much
 * as it says went back of it, which is less than its amount where less was accepted as its payment.
 */
export function excessOf(
  charge: { amountKobo: number; refundedKobo: number; status: string },
  payment: { isApplied: boolean; paidKobo: number },
): number {
  if (!payment.isApplied) return payment.paidKobo;
  const keptKobo = charge.status === 'refunded' ? charge.refundedKobo : charge.amountKobo;
  return payment.paidKobo - keptKobo;
}

/**
 * What goes back of one payment: refunds that are approved, sent or completed, and lost disputes.
 */
export interface ReturnSums {
  /** Refunds that the provider was asked for, and disputes that the payer's bank decided. */
  sentKobo: number;
  /** All refunds the service makes by itself. */
  systemKobo: number;
  /** Those of them that the provider was not asked for yet. */
  waitingKobo: number;
}

/**
 * How much of a payment still has to go back, in kobo, where `excessKobo` of its `paidKobo` do not
 * belong to its charge. Not above 0: nothing.
 */
export function leftToReturn(
  { sentKobo, systemKobo, waitingKobo }: ReturnSums,
  { paidKobo, excessKobo }: { paidKobo: number; excessKobo: number },
): number {
  return Math.min(excessKobo - systemKobo, paidKobo - sentKobo - waitingKobo);
}
