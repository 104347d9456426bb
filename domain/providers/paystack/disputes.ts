import type { CallOptions, DisputeQuery, ProviderDispute } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { isObject, koboOf, plainText, stateIn } from '../read.ts';
import type { Client } from './client.ts';
import { idOf, paymentIdOf, rowsOf } from './pages.ts';
import { statusOf } from './wire.ts';

/** A person reads more disputes than these. */
const mostPages = 50;

/** `status` of a dispute that is not decided. (https://paystack.com/docs/api/dispute/) */
const openStatuses = new Set(['awaiting-merchant-feedback', 'awaiting-bank-feedback', 'pending']);

/**
 * `resolution` of a decided dispute → ours: a merchant who declines the claim with success has won.
 */
const endings: Record<string, ProviderDispute['state']> = {
  declined: 'won',
  'merchant-accepted': 'lost',
  'auto-accepted': 'lost',
};

export async function listDisputes(
  client: Client,
  query: DisputeQuery,
  options: CallOptions,
): Promise<ProviderDispute[]> {
  const stage = 'list disputes';
  const wanted = 'payment' in query ? query.payment.providerPaymentId : null;
  const filter: Record<string, string> =
    'payment' in query ? { transaction: wanted! } : { from: query.since.toISOString() };
  const rows = await rowsOf(client, { stage, path: '/dispute', query: filter, mostPages }, options);
  return rows
    .map((row) => readDispute(row, stage))
    .filter((dispute) => wanted === null || dispute.providerPaymentId === wanted);
}

function readDispute(dispute: Record<string, unknown>, stage: string): ProviderDispute {
  const providerPaymentId = paymentIdOf(dispute, stage);
  if (providerPaymentId === null)
    throw new ProviderError('unknown', stage, 'a dispute names no payment');
  const stated = dispute.refund_amount !== null && dispute.refund_amount !== undefined;
  return {
    providerDisputeId: idOf(dispute.id, stage),
    providerPaymentId,
    ...stateOf(dispute),
    amountKobo: stated ? koboOf(dispute.refund_amount, stage) : null,
    raw: JSON.stringify(dispute),
  };
}

type DisputeState = Pick<ProviderDispute, 'state' | 'status' | 'isReversed'>;

/** An archived dispute has ended, whether or not it names a resolution that we know. */
function stateOf(dispute: Record<string, unknown>): DisputeState {
  const status = plainText(dispute.status, 50).toLowerCase();
  const resolution = plainText(dispute.resolution, 50).toLowerCase();
  if (openStatuses.has(status)) return { state: 'open', status };
  const hasEnded = status === 'resolved' || status === 'archived';
  const state = hasEnded ? stateIn(endings, resolution) : 'unknown';
  const words = resolution ? `${status} (${resolution})` : status;
  return status === 'archived' && state === 'unknown'
    ? { state: 'closed', status: words, isReversed: isReversed(dispute) }
    : { state, status: words };
}

function isReversed({ transaction }: Record<string, unknown>): boolean {
  return isObject(transaction) && statusOf(transaction).status === 'reversed';
}
