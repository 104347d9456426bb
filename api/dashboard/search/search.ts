import { isId, numberOf } from '../../../domain/shared/ids.ts';
import { Problem, type ProblemCode } from '../../../domain/shared/problems.ts';
import { findCharge } from '../../charges/find-charge.ts';
import { getRefund } from '../../refunds/get-refund.ts';
import { getTransaction } from '../../transactions/get-transaction.ts';
import { listTransactions } from '../../transactions/list-transactions.ts';
import { type DashboardRequest, view } from '../request.ts';

export const searchView = view('transactions', {
  path: '/search',
  title: 'Search',
  template: 'search/search',
  async load(request) {
    const words = (request.query.q ?? '').trim().slice(0, 254);
    const to = words === '' ? undefined : await find(request, words);
    return { words, ...(to ? { leadTo: to } : {}) };
  },
});

/** Undefined when there is nothing in this mode. */
async function find({ call }: DashboardRequest, words: string): Promise<string | undefined> {
  const reference = words.toUpperCase();
  const id = numberOf(reference) !== undefined ? reference : isId('txn', words) && words;
  if (id) return found(call(getTransaction, { params: { id } }));
  if (isId('ref', words)) return found(call(getRefund, { params: { id: words } }));
  if (isId('stl', words)) return `/settlements/${words}`;
  const transaction = await found(call(findCharge, { query: { merchant_reference: words } }));
  if (transaction || !words.includes('@')) return transaction;
  const customer = { customer: words };
  const isAddress = await unlessRefused(
    call(listTransactions, { query: { ...customer, limit: '1' } }),
    'validation_failed',
  );
  return isAddress && `/transactions?${new URLSearchParams(customer)}`;
}

async function found(asked: Promise<{ reference: string }>): Promise<string | undefined> {
  const answer = await unlessRefused(asked, 'not_found', 'validation_failed');
  return answer && `/transactions/${answer.reference}`;
}

async function unlessRefused<Answer>(asked: Promise<Answer>, ...codes: readonly ProblemCode[]) {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Problem && codes.includes(error.code)) return undefined;
    throw error;
  }
}
