import { errorOf, messageOf, recordOf, resultOf } from '../adapter/answers.ts';
import type { ProviderAnswer } from '../adapter/http.ts';
import { endsBefore, readWhole } from '../adapter/lists.ts';
import type { Answer } from '../adapter/open.ts';
import {
  isReference,
  isStated,
  koboOfNaira,
  nairaOf,
  plainText,
  type Row,
  refundIdIn,
  stateIn,
  UnclearError,
} from '../adapter/read.ts';
import { ProviderError } from '../port/provider-error.ts';
import type { ProviderRefund } from '../port/refund.ts';
import { answerForm, listOf, refusalOf } from './answers.ts';
import { monnifyDate, upperWord } from './wire.ts';

/** Monnify accepts each reference once. */
export const refund: Answer<'refund'> = async (client, order) => {
  const answer = await client.post('/api/v1/refunds/initiate-refund', {
    transactionReference: order.providerPaymentId,
    refundReference: order.refundId,
    refundAmount: nairaOf(order.amountKobo),
    refundReason: plainText(order.reason, 64).toWellFormed() || 'Refund',
    // The payer sees the note, of at most 16 characters. The reason is not for the payer.
    customerNote: 'Refund',
  });
  const created = resultOf(answerForm, answer);
  if (!created) throw refundErrorOf(answer);
  return refundWithId(order.refundId, readRefund(created, answer.raw));
};

export const findRefund: Answer<'findRefund'> = async (client, { refundId, providerRefundId }) => {
  const id = providerRefundId ?? refundId;
  const answer = await client.get(`/api/v1/refunds/${encodeURIComponent(id)}`);
  if (isNoRefund(answer)) return undefined;
  return refundWithId(id, readRefund(recordOf(answerForm, answer), answer.raw));
};

function refundWithId(id: string, refund: ProviderRefund): ProviderRefund {
  if (refund.providerRefundId === id) return refund;
  throw new UnclearError('the answer is about another refund');
}

/**
 * The filter of Monnify's Python SDK (https://github.com/Monnify/monnify-python) is undocumented:
 * other rows are left out, and pages are read past the payment.
 */
export const listRefunds: Answer<'listRefunds'> = async (client, payment) => {
  const { providerPaymentId, capturedAt } = payment;
  const query = { transactionReference: providerPaymentId };
  const list = listOf(client, { path: '/api/v1/refunds', query });
  const isPast = endsBefore(capturedAt, ({ createdOn }) => monnifyDate(createdOn));
  return (await readWhole(list, isPast))
    .filter(({ transactionReference }) => transactionReference === providerPaymentId)
    .map((row) => readRefund(row, JSON.stringify(row)));
};

/** `refundStatus` → ours. (https://developers.monnify.com/docs/refunds) */
const states: Record<string, ProviderRefund['state']> = {
  INITIATED: 'processing',
  PENDING: 'processing',
  IN_PROGRESS: 'processing',
  COMPLETED: 'completed',
  REFUNDED: 'completed',
  FAILED: 'failed',
};

function readRefund(refund: Row, raw: string): ProviderRefund {
  const { refundReference, refundAmount, comment, completedOn } = refund;
  if (!isReference(refundReference)) throw new UnclearError('a refund carries no reference');
  const status = upperWord(refund.refundStatus);
  // `completedOn` is stated once the payer has the money.
  const isInProgress =
    status === 'COMPLETED' && !isStated(completedOn) && /in progress/i.test(plainText(comment));
  const state = isInProgress ? 'processing' : stateIn(states, status);
  return {
    providerRefundId: refundReference,
    refundId: refundIdIn(refundReference) === refundReference ? refundReference : null,
    amountKobo: koboOfNaira(refundAmount),
    state,
    status,
    message: state === 'failed' ? plainText(comment) || null : null,
    completedAt: state === 'completed' ? monnifyDate(completedOn) : null,
    raw,
  };
}

/** In words for the merchant. (https://developers.monnify.com/docs/error-codes) */
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

/** Only a documented code says that it surely did not begin. */
function refundErrorOf(answer: ProviderAnswer): ProviderError {
  const { status, stage } = answer;
  const [code, message] = [refusalOf(answer) ?? '', messageOf(answerForm, answer)];
  if (code === 'R9') return new ProviderError('duplicate', stage, message);
  if (Object.hasOwn(refusals, code)) return new ProviderError('refused', stage, refusals[code]!);
  if (retryableCodes.has(code)) return new ProviderError('retryable', stage, message);
  const error = errorOf(answerForm, answer);
  // The token or its rights were refused before the request was looked at.
  const isAccessDenied = status === 401 || status === 403;
  return error.kind !== 'refused' || isAccessDenied
    ? error
    : new ProviderError('unknown', stage, `${message} (HTTP ${status})`);
}

function isNoRefund(answer: ProviderAnswer): boolean {
  const isRefused404 = answer.status === 404 && errorOf(answerForm, answer).kind === 'refused';
  return refusalOf(answer) === 'R7' || isRefused404;
}
