import type {
  AccountRefunds,
  AccountRefundsQuery,
  ProviderRefund,
  RefundOrder,
  WantedRefund,
} from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import {
  dateOf,
  isObject,
  koboOfNaira,
  nairaOf,
  numericId,
  parseObject,
  plainText,
  refundIdIn,
  stateIn,
} from '../read.ts';
import { isNotFound, recordOf } from './answers.ts';
import type { Client } from './client.ts';
import { readPage } from './pages.ts';
import { windowSince } from './wire.ts';

/**
 * `status` of a refund → ours. A bare `completed` means the merchant was debited, not that the
 * payer has the money. (https://developer.flutterwave.com/v3.0/docs/refunds)
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

/** Flutterwave has no field for our id and no idempotency key: the comment carries our id. */
export async function createRefund(client: Client, order: RefundOrder): Promise<ProviderRefund> {
  const body = {
    amount: nairaOf(order.amountKobo),
    comments: `${order.refundId}: ${plainText(order.reason, 200)}`,
  };
  const answer = await client.post(
    `/transactions/${encodeURIComponent(order.providerPaymentId)}/refund`,
    body,
    'refund',
  );
  const made = readRefund(recordOf(answer, 'refund'), answer.raw, 'refund');
  return { ...made, refundId: order.refundId };
}

/** By Flutterwave's id: the list of refunds, which holds ours, is read by account. */
export async function findRefund(
  client: Client,
  { providerRefundId: id }: WantedRefund,
): Promise<ProviderRefund | undefined> {
  const stage = 'find refund';
  if (id === null)
    throw new ProviderError('unknown', stage, 'Flutterwave finds a refund by its own id only');
  const answer = await client.get(`/refunds/${encodeURIComponent(id)}`, stage);
  if (isNotFound(answer, 'refund')) return undefined;
  const found = readRefund(recordOf(answer, stage), answer.raw, stage);
  if (found.providerRefundId === id) return found;
  throw new ProviderError('unknown', stage, 'asked for one refund, the answer is another');
}

/** A page of all the account's refunds. The list cannot be filtered by payment. */
export async function listAccountRefunds(
  client: Client,
  { from, page }: AccountRefundsQuery,
  now: Date,
): Promise<AccountRefunds> {
  const stage = 'list refunds';
  const list = { path: '/refunds', query: windowSince(from, now), thing: 'refund', stage } as const;
  const { rows, pages, total } = await readPage(client, list, page);
  return {
    rows: rows.map((row) => ({
      providerRefundId: `${row.id}`,
      providerPaymentId: numericId(row.transaction_id ?? row.tx_id),
      refundId: ourIdOf(row),
      createdAt: dateOf(row.created_at),
    })),
    total,
    hasMore: pages === undefined ? undefined : page < pages,
  };
}

/** Flutterwave states neither when the money arrived nor why a refund itself failed. */
function readRefund(record: Record<string, unknown>, raw: string, stage: string): ProviderRefund {
  const providerRefundId = numericId(record.id);
  if (providerRefundId === null)
    throw new ProviderError('unknown', stage, 'a refund carries no id');
  const status = plainText(record.status, 50).toLowerCase();
  const payout = /^completed?$/.test(status) ? payoutStateOf(record) : undefined;
  return {
    providerRefundId,
    refundId: ourIdOf(record),
    amountKobo: koboOfNaira(record.amount_refunded, stage),
    state: payout ?? stateOf(status),
    status,
    message: payout === 'failed' ? PAYOUT_FAILED : null,
    completedAt: null,
    raw,
  };
}

function stateOf(status: string): ProviderRefund['state'] {
  // Flutterwave adds how the money went back: completed-bank-transfer, completed-mpgs, …
  if (status.startsWith('completed-')) return 'completed';
  return stateIn(states, status);
}

/** `meta` is an object when the refund is made, and JSON in a text when it is read. */
function payoutStateOf({ meta }: Record<string, unknown>): ProviderRefund['state'] | undefined {
  const { disburse_status: status } = isObject(meta) ? meta : parseObject(String(meta));
  const state = stateIn(payoutStates, plainText(status, 50).toLowerCase());
  return state === 'unknown' ? undefined : state;
}

function ourIdOf(record: Record<string, unknown>): string | null {
  return refundIdIn(record.comment) ?? refundIdIn(record.comments);
}
