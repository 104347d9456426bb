import { recordOf } from '../adapter/answers.ts';
import type { Client } from '../adapter/client.ts';
import { endsBefore, readWhole } from '../adapter/lists.ts';
import {
  dateOf,
  idOf,
  koboOf,
  plainText,
  type Row,
  refundIdIn,
  stateIn,
  wordOf,
} from '../adapter/read.ts';
import type { PaidPayment } from '../port/payment.ts';
import type { ProviderRefund, RefundOrder, WantedRefund } from '../port/refund.ts';
import { answerForm, isNotFound } from './answers.ts';
import { listOf, paymentIdOf } from './pages.ts';

/** Paystack's `status` of a refund → ours. (https://paystack.com/docs/payments/refunds/) */
const states: Record<string, ProviderRefund['state']> = {
  pending: 'processing',
  processing: 'processing',
  processed: 'completed',
  failed: 'failed',
  'needs-attention': 'attention',
};

/** Refunds take no reference of ours: the note finds one whose answer is lost. */
export async function createRefund(client: Client, order: RefundOrder): Promise<ProviderRefund> {
  const { providerPaymentId, amountKobo, refundId, reason } = order;
  const answer = await client.post('/refund', {
    transaction: providerPaymentId,
    amount: amountKobo,
    currency: 'NGN',
    merchant_note: `${refundId}: ${plainText(reason, 200)}`,
  });
  return { ...readRefund(recordOf(answerForm, answer), answer.raw), refundId };
}

export async function findRefund(
  client: Client,
  { refundId, providerRefundId, payment }: WantedRefund,
): Promise<ProviderRefund | undefined> {
  if (providerRefundId === null)
    return (await listRefunds(client, payment)).find((refund) => refund.refundId === refundId);
  const answer = await client.get(`/refund/${encodeURIComponent(providerRefundId)}`);
  if (isNotFound(answer, 'refund')) return undefined;
  return readRefund(recordOf(answerForm, answer), answer.raw);
}

/**
 * Every refund of a payment. The filter is in the prose of the documentation and not in its OpenAPI
 * document, so rows of other payments are left out, and pages are read until they are older than
 * the payment.
 */
export async function listRefunds(
  client: Client,
  { providerPaymentId, capturedAt }: PaidPayment,
): Promise<ProviderRefund[]> {
  const list = listOf(client, '/refund', { transaction: providerPaymentId });
  const timeOf = (row: Row) => dateOf(row.created_at) ?? dateOf(row.createdAt);
  const rows = await readWhole(list, endsBefore(capturedAt, timeOf));
  return rows
    .filter((row) => (paymentIdOf(row) ?? providerPaymentId) === providerPaymentId)
    .map((row) => readRefund(row, JSON.stringify(row)));
}

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

/** `needs-attention` has a single cause, whether Paystack states it or not. */
function messageOf(state: ProviderRefund['state'], reason: string): string | null {
  if (state === 'attention')
    return reason || "Paystack needs the payer's bank account to send the money to.";
  return state === 'failed' ? reason || null : null;
}
