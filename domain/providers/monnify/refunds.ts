import { deadlineOf, type ProviderAnswer } from '../http.ts';
import { pastCheck } from '../past-check.ts';
import type {
  CallOptions,
  PaidPayment,
  ProviderRefund,
  RefundOrder,
  WantedRefund,
} from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import {
  isReference,
  isStated,
  koboOfNaira,
  nairaOf,
  plainText,
  refundIdIn,
  stateIn,
} from '../read.ts';
import { bodyOf, errorOf, messageOf, refusalOf } from './answers.ts';
import type { Client } from './client.ts';
import { readPage } from './pages.ts';
import { monnifyDate } from './wire.ts';

export async function createRefund(
  client: Client,
  order: RefundOrder,
  options: CallOptions,
): Promise<ProviderRefund> {
  const path = '/api/v1/refunds/initiate-refund';
  const request = { method: 'POST', path, body: refundBody(order), stage: 'refund' } as const;
  const answer = await client.call(request, deadlineOf(options));
  const created = bodyOf(answer);
  if (!created) throw refundErrorOf(answer, 'refund');
  return refundWithId(order.refundId, readRefund(created, answer.raw, 'refund'), 'refund');
}

export async function findRefund(
  client: Client,
  wanted: WantedRefund,
  options: CallOptions,
): Promise<ProviderRefund | undefined> {
  const stage = 'find refund';
  const id = wanted.providerRefundId ?? wanted.refundId;
  const path = `/api/v1/refunds/${encodeURIComponent(id)}`;
  const answer = await client.call({ method: 'GET', path, stage }, deadlineOf(options));
  if (isNoRefund(answer)) return undefined;
  const found = bodyOf(answer);
  if (!found) throw errorOf(answer, stage);
  return refundWithId(id, readRefund(found, answer.raw, stage), stage);
}

/** Throws `unknown` unless the answer is about the refund that was asked for. */
function refundWithId(id: string, refund: ProviderRefund, stage: string): ProviderRefund {
  if (refund.providerRefundId !== id)
    throw new ProviderError('unknown', stage, 'the answer is about another refund');
  return refund;
}

/** Two thousand refunds of one payment, or of the account where Monnify ignores the filter. */
const MAX_PAGES = 20;

/**
 * Every refund of a payment, by the filter that Monnify's Python SDK knows
 * (https://github.com/Monnify/monnify-python). The documentation does not mention it, so rows of
 * other payments are left out, and pages are read until they are older than the payment. The SDK's
 * `from` and `to` are not used: their form is not documented, and one that is misread hides
 * refunds. Throws `unknown` rather than leave a refund out.
 */
export async function listRefunds(
  client: Client,
  { providerPaymentId, capturedAt }: PaidPayment,
  options: CallOptions,
): Promise<ProviderRefund[]> {
  const stage = 'refunds';
  const deadline = deadlineOf(options);
  const query = { transactionReference: providerPaymentId };
  const seen = new Set<unknown>();
  const found = new Map<string, ProviderRefund>();
  const isPast = pastCheck<Record<string, unknown>>(capturedAt, (row) =>
    monnifyDate(row.createdOn),
  );
  for (let page = 0; page < MAX_PAGES; page++) {
    const before = seen.size;
    const { rows, hasMore } = await readPage(
      client,
      { stage, path: '/api/v1/refunds', query },
      page,
      deadline,
    );
    for (const row of rows) {
      seen.add(row.refundReference);
      if (row.transactionReference !== providerPaymentId) continue;
      const refund = readRefund(row, JSON.stringify(row), stage);
      found.set(refund.providerRefundId, refund);
    }
    const bringsNothing = seen.size === before;
    if (isPast(rows) || hasMore === false || (hasMore === undefined && bringsNothing))
      return [...found.values()];
    if (bringsNothing)
      throw new ProviderError(
        'unknown',
        stage,
        `page ${page} holds nothing new, and is not the last`,
      );
  }
  throw new ProviderError('unknown', stage, 'Monnify has too many refunds to read them all');
}

/** `refundStatus` → ours. (https://developers.monnify.com/docs/refunds) */
const states: Record<string, ProviderRefund['state']> = {
  INITIATED: 'processing',
  PENDING: 'processing',
  IN_PROGRESS: 'processing',
  COMPLETED: 'completed',
  REFUNDED: 'completed',
  FAILED: 'failed',
};

/**
 * Codes of a refusal, in words for the merchant. (https://developers.monnify.com/docs/error-codes)
 */
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

/** Monnify could not read the wallet or ask the payer's bank: it started nothing. */
const retryableCodes = new Set(['R10', 'R11']);

/** Our id is the reference of the refund. Monnify accepts each reference once. */
function refundBody({ providerPaymentId, refundId, amountKobo, reason }: RefundOrder): object {
  return {
    transactionReference: providerPaymentId,
    refundReference: refundId,
    refundAmount: nairaOf(amountKobo),
    refundReason: plainText(reason, 64).toWellFormed() || 'Refund',
    // The payer sees the note, of at most 16 characters. The reason is not for the payer.
    customerNote: 'Refund',
  };
}

/**
 * Why Monnify did not start a refund. Only a documented code says that it surely did not: 99 is
 * documented as an error while it processed the request.
 */
function refundErrorOf(answer: ProviderAnswer, stage: string): ProviderError {
  const code = refusalOf(answer) ?? '';
  if (code === 'R9') return new ProviderError('duplicate', stage, messageOf(answer));
  if (Object.hasOwn(refusals, code)) return new ProviderError('refused', stage, refusals[code]!);
  if (retryableCodes.has(code)) return new ProviderError('retryable', stage, messageOf(answer));
  const error = errorOf(answer, stage);
  return error.kind === 'refused' && !isAccessDenied(answer)
    ? new ProviderError('unknown', stage, `${messageOf(answer)} (HTTP ${answer.status})`)
    : error;
}

/** The token or its rights were refused before the request was looked at. */
function isAccessDenied({ status }: ProviderAnswer): boolean {
  return status === 401 || status === 403;
}

/** True when Monnify itself says that it has no such refund. */
function isNoRefund(answer: ProviderAnswer): boolean {
  if (refusalOf(answer) === 'R7') return true;
  return answer.status === 404 && errorOf(answer, 'find refund').kind === 'refused';
}

/** Throws `unknown` where the refund's reference or amount is not clear. */
function readRefund(refund: Record<string, unknown>, raw: string, stage: string): ProviderRefund {
  const { refundReference } = refund;
  if (!isReference(refundReference))
    throw new ProviderError('unknown', stage, 'a refund carries no reference');
  const status = plainText(refund.refundStatus, 50).toUpperCase();
  const state = isInProgress(refund) ? 'processing' : stateIn(states, status);
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

/**
 * Some refunds are `COMPLETED` while their comment says "Transaction refund is in progress.":
 * `completedOn` is stated once the payer has the money.
 */
function isInProgress({ refundStatus, comment, completedOn }: Record<string, unknown>): boolean {
  const isCompleted = /^ *completed *$/i.test(plainText(refundStatus, 50));
  return isCompleted && !isStated(completedOn) && /in progress/i.test(plainText(comment));
}
