import type { ProviderAnswer } from '../http.ts';
import { pastCheck } from '../past-check.ts';
import type {
  CallOptions,
  PaidPayment,
  ProviderRefund,
  RefundOrder,
  WantedRefund,
} from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { dateOf, isObject, koboOf, plainText, refundIdIn, stateIn } from '../read.ts';
import { errorOf, isGood, isNotFound } from './answers.ts';
import type { Client } from './client.ts';
import { idOf, paymentIdOf, rowsOf } from './pages.ts';

/** Five thousand refunds of one payment, or of the account since it where the filter is ignored. */
const mostPages = 50;

/** Paystack's `status` of a refund → ours. (https://paystack.com/docs/payments/refunds/) */
const states: Record<string, ProviderRefund['state']> = {
  pending: 'processing',
  processing: 'processing',
  processed: 'completed',
  failed: 'failed',
  'needs-attention': 'attention',
};

/**
 * Refunds take no reference of ours. Our id in the merchant's note finds a refund whose answer is
 * lost.
 */
export async function createRefund(
  client: Client,
  order: RefundOrder,
  options: CallOptions,
): Promise<ProviderRefund> {
  const { providerPaymentId, amountKobo, refundId, reason } = order;
  const note = `${refundId}: ${plainText(reason, 200)}`;
  const body = {
    transaction: providerPaymentId,
    amount: amountKobo,
    currency: 'NGN',
    merchant_note: note,
  };
  const refund = readAnswer(
    await client({ ...options, method: 'POST', body, stage: 'refund' }, '/refund'),
    'refund',
  );
  return { ...refund, refundId };
}

export async function findRefund(
  client: Client,
  wanted: WantedRefund,
  options: CallOptions,
): Promise<ProviderRefund | undefined> {
  const { refundId, providerRefundId, payment } = wanted;
  if (providerRefundId === null)
    return (await listRefunds(client, payment, options)).find(
      (refund) => refund.refundId === refundId,
    );
  const request = { ...options, method: 'GET', stage: 'find refund' } as const;
  const answer = await client(request, `/refund/${encodeURIComponent(providerRefundId)}`);
  return isNotFound(answer, 'refund') ? undefined : readAnswer(answer, 'find refund');
}

/**
 * Every refund of a payment. The filter is in the prose of the documentation and not in its OpenAPI
 * document, so rows of other payments are left out, and pages are read until they are older than
 * the payment. Throws `unknown` rather than leave a refund out.
 */
export async function listRefunds(
  client: Client,
  { providerPaymentId, capturedAt }: PaidPayment,
  options: CallOptions,
): Promise<ProviderRefund[]> {
  const stage = 'list refunds';
  const query = { transaction: providerPaymentId };
  const isLast = pastCheck<Record<string, unknown>>(
    capturedAt,
    (row) => dateOf(row.created_at) ?? dateOf(row.createdAt),
  );
  const list = { stage, path: '/refund', query, mostPages, isLast };
  const rows = await rowsOf(client, list, options);
  return rows
    .filter((row) => (paymentIdOf(row, stage) ?? providerPaymentId) === providerPaymentId)
    .map((row) => readRefund(row, stage, JSON.stringify(row)));
}

function readAnswer(answer: ProviderAnswer, stage: string): ProviderRefund {
  if (!isGood(answer)) throw errorOf(answer, stage);
  if (!isObject(answer.json.data))
    throw new ProviderError('unknown', stage, 'the answer holds no refund');
  return readRefund(answer.json.data, stage, answer.raw);
}

function readRefund(refund: Record<string, unknown>, stage: string, raw: string): ProviderRefund {
  const status = plainText(refund.status, 50).toLowerCase();
  const state = stateIn(states, status);
  return {
    providerRefundId: idOf(refund.id, stage),
    refundId: refundIdIn(refund.merchant_note),
    amountKobo: koboOf(refund.amount, stage),
    state,
    status,
    message: messageOf(state, refund.reason),
    completedAt: state === 'completed' ? dateOf(refund.refunded_at) : null,
    raw,
  };
}

/** `needs-attention` has a single cause, whether Paystack states it or not. */
function messageOf(state: ProviderRefund['state'], reason: unknown): string | null {
  if (state === 'failed') return plainText(reason) || null;
  return state === 'attention'
    ? plainText(reason) || "Paystack needs the payer's bank account to send the money to."
    : null;
}
