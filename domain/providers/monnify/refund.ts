import type { ProviderAnswer } from '../http.ts';
import { ProviderError, type ProviderRefund, type RefundOrder } from '../provider.ts';
import { isReference, koboOfNaira, nairaOf, plainText, refundIdIn } from '../read.ts';
import { errorOf, messageOf, refusalOf } from './answers.ts';
import { monnifyDate } from './dates.ts';

/** Monnify's `refundStatus` → what it says of a refund. (https://developers.monnify.com/docs/refunds) */
const states: Record<string, ProviderRefund['state']> = {
  PENDING: 'processing',
  IN_PROGRESS: 'processing',
  COMPLETED: 'completed',
  FAILED: 'failed',
};

/** Codes of a plain no, as a merchant understands them. (https://developers.monnify.com/docs/error-codes) */
const refusals: Record<string, string> = {
  R1: 'Monnify knows no such payment.',
  R2: 'Monnify does not refund this payment: it refunds bank transfers only.',
  R3: 'The refund is more than the payment.',
  R4: 'Monnify refunds no less than ₦100.',
  R5: 'The Monnify wallet does not hold enough for this refund. Top it up and ask again.',
  R6: 'Monnify knows no valid bank account of the payer to send the money to.',
  R8: 'A text that goes with the refund is too long for Monnify.',
  R12: 'The refunds of this payment together are more than it.',
};

/** Monnify could not look at the wallet, or ask the payer's bank: it began nothing. */
const later = new Set(['R10', 'R11']);

/** What a refund is asked for with: our id is its reference, of which Monnify takes each one once. */
export function refundBody({
  providerPaymentId,
  refundId,
  amountKobo,
  reason,
}: RefundOrder): object {
  return {
    transactionReference: providerPaymentId,
    refundReference: refundId,
    refundAmount: nairaOf(amountKobo),
    refundReason: plainText(reason, 64).toWellFormed() || 'Refund',
    // The payer sees it, in 16 characters at most. The reason is the merchant's own matter.
    customerNote: 'Refund',
  };
}

/** Why Monnify did not begin a refund. */
export function refundErrorOf(answer: ProviderAnswer, stage: string): ProviderError {
  const code = refusalOf(answer) ?? '';
  if (code === 'R9') return new ProviderError('duplicate', stage, messageOf(answer));
  if (Object.hasOwn(refusals, code)) return new ProviderError('refused', stage, refusals[code]!);
  if (later.has(code)) return new ProviderError('retryable', stage, messageOf(answer));
  return errorOf(answer, stage);
}

/** Monnify's own word that it has no such refund. */
export function isNoRefund(answer: ProviderAnswer): boolean {
  const code = refusalOf(answer);
  return code === 'R7' || (code !== undefined && answer.status === 404);
}

/** Reads the refund shape. Throws `unknown` where it does not say plainly which refund it is, or of how much. */
export function readRefund(
  refund: Record<string, unknown>,
  raw: string,
  stage: string,
): ProviderRefund {
  const { refundReference } = refund;
  if (!isReference(refundReference))
    throw new ProviderError('unknown', stage, 'a refund carries no reference');
  const status = plainText(refund.refundStatus, 50).toUpperCase();
  const state = Object.hasOwn(states, status) ? states[status]! : 'unknown';
  return {
    providerRefundId: refundReference,
    refundId: refundIdIn(refundReference) === refundReference ? refundReference : null,
    amountKobo: koboOfNaira(refund.refundAmount, stage),
    state,
    status,
    message: state === 'failed' ? plainText(refund.comment) || null : null,
    completedAt: state === 'completed' ? monnifyDate(refund.completedOn) : null,
    raw,
  };
}
