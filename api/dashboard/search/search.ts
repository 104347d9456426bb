import { isId, numberOf } from '../../../domain/shared/ids.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { findCharge } from '../../charges/find-charge.ts';
import { getRefund } from '../../refunds/get-refund.ts';
import { getTransaction } from '../../transactions/get-transaction.ts';
import { listTransactions } from '../../transactions/list-transactions.ts';
import type { DashboardRequest, View } from '../request.ts';

/** Finds what a person typed or pasted, and leads there. */
export const searchView: View = {
  path: '/search',
  title: 'Search',
  template: 'search/search',
  section: 'transactions',
  permission: 'read',
  async load(request) {
    const words = (request.query.q ?? '').trim().slice(0, 254);
    const to = words === '' ? undefined : await find(request, words);
    return { words, ...(to ? { leadTo: to } : {}) };
  },
};

/** The path of what these words name; undefined when there is nothing in this mode. */
async function find({ call }: DashboardRequest, words: string): Promise<string | undefined> {
  const reference = words.toUpperCase();
  if (numberOf(reference) !== undefined)
    return found(call(getTransaction, { params: { id: reference } }), 'reference');
  if (isId('txn', words))
    return found(call(getTransaction, { params: { id: words } }), 'reference');
  if (isId('ref', words)) return found(call(getRefund, { params: { id: words } }), 'reference');
  if (isId('stl', words)) return `/settlements/${words}`;
  const query = { merchant_reference: words };
  const transaction = await found(call(findCharge, { query }), 'reference');
  if (transaction || !words.includes('@')) return transaction;
  const customer = { customer: words };
  const isAddress = await isTaken(call(listTransactions, { query: { ...customer, limit: '1' } }));
  return isAddress ? `/transactions?${new URLSearchParams(customer)}` : undefined;
}

/** Whether the API takes the words of a question, whatever it finds. */
async function isTaken(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer;
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'validation_failed') return false;
    throw error;
  }
}

/** The transaction that an answer names; undefined where the API found nothing. */
async function found<Answer>(
  answer: Promise<Answer>,
  field: keyof Answer,
): Promise<string | undefined> {
  try {
    return `/transactions/${(await answer)[field]}`;
  } catch (error) {
    if (error instanceof Problem && ['not_found', 'validation_failed'].includes(error.code))
      return undefined;
    throw error;
  }
}
