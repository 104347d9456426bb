import { readWhole } from '../adapter/lists.ts';
import type { Answer } from '../adapter/open.ts';
import { statusOf } from '../adapter/payments.ts';
import {
  dateOf,
  idOf,
  isObject,
  isStated,
  koboOf,
  plainText,
  type Row,
  stateIn,
  UnclearError,
  wordOf,
} from '../adapter/read.ts';
import type { ProviderDispute } from '../port/dispute.ts';
import { listOf } from './answers.ts';
import { paymentIdOf, transactionForm } from './wire.ts';

/** `status` of a dispute that is not decided. (https://paystack.com/docs/api/dispute/) */
const AWAITS_MERCHANT = 'awaiting-merchant-feedback';
const openStatuses = new Set([AWAITS_MERCHANT, 'awaiting-bank-feedback', 'pending']);

/** `resolution` → ours: a merchant who declines the claim with success has won. */
const endings: Record<string, ProviderDispute['state']> = {
  declined: 'won',
  'merchant-accepted': 'lost',
  'auto-accepted': 'lost',
};

export const listDisputes: Answer<'listDisputes'> = async (client, asked) => {
  const list = async (query: Record<string, string>) =>
    (await readWhole(listOf(client, { path: '/dispute', query }))).map(readDispute);
  if ('since' in asked) return list({ from: asked.since.toISOString() });
  const { providerPaymentId } = asked.payment;
  const disputes = await list({ transaction: providerPaymentId });
  return disputes.filter((each) => each.providerPaymentId === providerPaymentId);
};

function readDispute(dispute: Row): ProviderDispute {
  const providerPaymentId = paymentIdOf(dispute);
  if (providerPaymentId === null) throw new UnclearError('a dispute names no payment');
  const { id, refund_amount: amount } = dispute;
  return {
    providerDisputeId: idOf(id),
    providerPaymentId,
    ...stateOf(dispute),
    awaitsResponse: wordOf(dispute.status) === AWAITS_MERCHANT,
    amountKobo: isStated(amount) ? koboOf(amount) : null,
    reason: reasonOf(dispute),
    respondBy: dateOf(dispute.dueAt),
    raw: JSON.stringify(dispute),
  };
}

/** What the payer wrote first; else the kind of dispute. */
function reasonOf({ messages, category }: Row): string | null {
  const [first] = Array.isArray(messages) ? messages.filter(isObject) : [];
  return plainText(first?.body) || plainText(category) || null;
}

/** Also where it names no resolution that we know. */
function stateOf(dispute: Row): Pick<ProviderDispute, 'state' | 'status' | 'isReversed'> {
  const [status, resolution] = [wordOf(dispute.status), wordOf(dispute.resolution)];
  if (openStatuses.has(status)) return { state: 'open', status };
  const words = resolution ? `${status} (${resolution})` : status;
  const state = /^(resolved|archived)$/.test(status) ? stateIn(endings, resolution) : 'unknown';
  return status === 'archived' && state === 'unknown'
    ? { state: 'closed', status: words, isReversed: isReversed(dispute) }
    : { state, status: words };
}

function isReversed({ transaction }: Row): boolean {
  return isObject(transaction) && statusOf(transactionForm, transaction) === 'reversed';
}
