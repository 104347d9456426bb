import { recordOf } from '../adapter/answers.ts';
import type { ListClient } from '../adapter/client.ts';
import type { Answer } from '../adapter/open.ts';
import {
  dateOf,
  idOf,
  isObject,
  koboOfNaira,
  nairaOf,
  numericId,
  parseObject,
  plainText,
  type Row,
  refundIdIn,
  stateIn,
  UnclearError,
  wordOf,
} from '../adapter/read.ts';
import type { ProviderRefund } from '../port/refund.ts';
import { answerForm, isNotFound, readPage } from './answers.ts';
import { windowSince } from './wire.ts';

/**
 * A bare `completed`: the merchant was debited.
 * (https://developer.flutterwave.com/v3.0/docs/refunds)
 */
const states: Record<string, ProviderRefund['state']> = {
  new: 'processing',
  processing: 'processing',
  'pending-momo': 'processing',
  completed: 'processing',
  complete: 'processing',
  successful: 'completed',
  failed: 'failed',
};

/**
 * `meta.disburse_status` of a bare `completed` → ours: whether its payout to the payer succeeded.
 * Flutterwave's documents do not mention the field (https://developer.flutterwave.com/docs/refunds);
 * public integrations read it so. Any other value leaves the refund in progress.
 */
const payoutStates: Record<string, ProviderRefund['state']> = {
  successful: 'completed',
  succeeded: 'completed',
  failed: 'failed',
};
const PAYOUT_FAILED = 'Flutterwave took the money, but could not pay it out to the payer.';

/** There is no field for our id and no idempotency key. */
export const refund: Answer<'refund'> = async (client, order) => {
  const { providerPaymentId, refundId, amountKobo, reason } = order;
  const path = `/transactions/${encodeURIComponent(providerPaymentId)}/refund`;
  const comments = `${refundId}: ${plainText(reason, 200)}`;
  const answer = await client.post(path, { amount: nairaOf(amountKobo), comments });
  return { ...readRefund(recordOf(answerForm, answer), answer.raw), refundId };
};

export const findRefund: Answer<'findRefund'> = async (client, { providerRefundId: id }) => {
  if (id === null) throw new UnclearError('Flutterwave finds a refund by its own id only');
  const answer = await client.get(`/refunds/${encodeURIComponent(id)}`);
  if (isNotFound(answer, 'refund')) return undefined;
  const found = readRefund(recordOf(answerForm, answer), answer.raw);
  if (found.providerRefundId === id) return found;
  throw new UnclearError('asked for one refund, the answer is another');
};

export const listAccountRefunds: Answer<'listAccountRefunds', ListClient> = async (
  client,
  { from, page },
) => {
  const query = windowSince(from, client.account.clock());
  const read = await readPage(client, { path: '/refunds', query, thing: 'refund' }, page);
  const rows = read.rows.map((row) => ({
    providerRefundId: idOf(row.id),
    providerPaymentId: numericId(row.transaction_id ?? row.tx_id),
    refundId: ourIdOf(row),
    createdAt: dateOf(row.created_at),
  }));
  return { ...read, rows };
};

/** Flutterwave states neither when the money arrived nor why a refund itself failed. */
function readRefund(refund: Row, raw: string): ProviderRefund {
  const status = wordOf(refund.status);
  const payout = /^completed?$/.test(status) ? payoutStateOf(refund) : 'unknown';
  return {
    providerRefundId: idOf(refund.id),
    refundId: ourIdOf(refund),
    amountKobo: koboOfNaira(refund.amount_refunded),
    state: payout === 'unknown' ? stateOf(status) : payout,
    status,
    message: payout === 'failed' ? PAYOUT_FAILED : null,
    completedAt: null,
    raw,
  };
}

function stateOf(status: string): ProviderRefund['state'] {
  // Flutterwave adds how the money went back: completed-bank-transfer, completed-mpgs, …
  return status.startsWith('completed-') ? 'completed' : stateIn(states, status);
}

function payoutStateOf({ meta }: Row): ProviderRefund['state'] {
  const { disburse_status: status } = isObject(meta) ? meta : parseObject(String(meta));
  return stateIn(payoutStates, wordOf(status));
}

function ourIdOf(refund: Row): string | null {
  return refundIdIn(refund.comment) ?? refundIdIn(refund.comments);
}
