import type { Page, SpanQuery } from '../payouts.ts';
import type { CallOptions, ProviderCapture } from '../provider.ts';
import type { PaystackCall } from './call.ts';
import { pageOf } from './pages.ts';
import { readCapture, stateOf } from './transaction.ts';

/** Payments are listed by when they were begun. A pay page has no end: one may be paid the day after its charge has ended. */
const PAID_LATER_MS = 48 * 3_600_000;

/** The account's payments that were taken, reversed ones included, whoever made them. */
export async function listPayments(
  call: PaystackCall,
  { from, to, cursor }: SpanQuery,
  options: CallOptions,
): Promise<Page<ProviderCapture>> {
  const stage = 'payments';
  const query = {
    from: new Date(from.getTime() - PAID_LATER_MS).toISOString(),
    to: to.toISOString(),
  };
  const { rows, next } = await pageOf(
    call,
    { stage, path: '/transaction', query },
    cursor,
    options,
  );
  const paid = rows.filter((row) => stateOf(row).state === 'paid');
  return { rows: paid.map((row) => readCapture(row, stage)), next };
}
