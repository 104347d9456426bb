import { recordOf } from '../adapter/answers.ts';
import { endsBefore, readPastAt, readWhole } from '../adapter/lists.ts';
import type { Answer } from '../adapter/open.ts';
import {
  dateOf,
  idOf,
  koboOf,
  plainText,
  type Row,
  refundIdIn,
  stateIn,
  UnclearError,
  wordOf,
} from '../adapter/read.ts';
import type { ProviderRefund } from '../port/refund.ts';
import { answerForm, isNotFound, listOf } from './answers.ts';
import { paymentIdOf } from './wire.ts';

/** Paystack's `status` of a refund → ours. (https://paystack.com/docs/payments/refunds/) */
const states: Record<string, ProviderRefund['state']> = {
  pending: 'processing',
  processing: 'processing',
  processed: 'completed',
  failed: 'failed',
  'needs-attention': 'attention',
};

/** The note finds one whose answer is lost. */
export const refund: Answer<'refund'> = async (client, order) => {
  const { providerPaymentId, amountKobo, refundId, reason } = order;
  const answer = await client.post('/refund', {
    transaction: providerPaymentId,
    amount: amountKobo,
    currency: 'NGN',
    merchant_note: `${refundId}: ${plainText(reason, 200)}`,
  });
  return { ...readRefund(recordOf(answerForm, answer), answer.raw), refundId };
};

export const findRefund: Answer<'findRefund'> = async (client, wanted) => {
  const { refundId, providerRefundId, payment } = wanted;
  if (providerRefundId === null)
    return (await listRefunds(client, payment)).find((refund) => refund.refundId === refundId);
  const answer = await client.get(`/refund/${encodeURIComponent(providerRefundId)}`);
  if (isNotFound(answer, 'refund')) return undefined;
  return readRefund(recordOf(answerForm, answer), answer.raw);
};

/**
 * The filter is in prose only: rows of other payments are left out, and pages are read past the
 * payment.
 */
export const listRefunds: Answer<'listRefunds'> = async (client, payment) => {
  const { providerPaymentId, capturedAt } = payment;
  const list = listOf(client, { path: '/refund', query: { transaction: providerPaymentId } });
  const timeOf = (row: Row) => dateOf(row.created_at) ?? dateOf(row.createdAt);
  const rows = await readWhole(list, endsBefore(capturedAt, timeOf));
  return rows
    .filter((row) => (paymentIdOf(row) ?? providerPaymentId) === providerPaymentId)
    .map((row) => readRefund(row, JSON.stringify(row)));
};

/** Of every payment. (https://paystack.com/docs/api/refund/#list) */
export const listPastRefunds: Answer<'listPastRefunds'> = (client, { from, to, cursor }) => {
  const query = { from: from.toISOString(), to: to.toISOString() };
  const list = listOf(client, { path: '/refund', query, isTolerant: true });
  return readPastAt(list, cursor, (row) => {
    const providerPaymentId = paymentIdOf(row);
    if (providerPaymentId === null) throw new UnclearError('a refund names no payment');
    return [{ providerPaymentId, refund: readRefund(row, JSON.stringify(row)) }];
  });
};

function readRefund(refund: Row, raw: string): ProviderRefund {
  const status = wordOf(refund.status);
  const state = stateIn(states, status);
  return {
    providerRefundId: idOf(refund.id),
    refundId: refundIdIn(refund.merchant_note),
    amountKobo: koboOf(refund.amount),
    state,
    status,
    message: messageOf(state, plainText(refund.reason)),
    completedAt: state === 'completed' ? dateOf(refund.refunded_at) : null,
    raw,
  };
}

function messageOf(state: ProviderRefund['state'], reason: string): string | null {
  if (state === 'attention')
    return reason || "Paystack needs the payer's bank account to send the money to.";
  return state === 'failed' ? reason || null : null;
}
