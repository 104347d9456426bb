import { type PaidPayment, ProviderError, type ProviderRefund } from '../provider.ts';
import { monnifyDate } from './dates.ts';
import { PAGE_SIZE, recordsOf } from './pages.ts';
import { readRefund } from './refund.ts';

/** Two thousand refunds since a payment was made, at least: more are not read in one call. */
const MOST_PAGES = 20;
/** A refund is younger than its payment. A day more allows for clocks and zones that differ. */
const SLACK_MS = 24 * 3_600_000;

/** Answers with the body of one page of all refunds. */
export type ReadPage = (query: string) => Promise<Record<string, unknown>>;

/**
 * Every refund of a payment. Monnify lists those of all payments, newest first: pages are read until they are older than the payment.
 * Throws `unknown` rather than leave one out.
 */
export async function listRefundsOf(
  payment: PaidPayment,
  readPage: ReadPage,
): Promise<ProviderRefund[]> {
  const found = new Map<string, ProviderRefund>();
  let lastAt = Number.POSITIVE_INFINITY;
  let newestFirst = true;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { records, last } = recordsOf(
      await readPage(`page=${page}&size=${PAGE_SIZE}`),
      'refunds',
    );
    for (const record of records) {
      const createdAt = monnifyDate(record.createdOn)?.getTime() ?? lastAt;
      // Only an order that is kept says anything of what comes after.
      newestFirst &&= createdAt <= lastAt;
      lastAt = createdAt;
      // A list that grows while it is read shows a record twice.
      if (record.transactionReference !== payment.providerPaymentId) continue;
      const refund = readRefund(record, JSON.stringify(record), 'refunds');
      found.set(refund.providerRefundId, refund);
    }
    if (last || (newestFirst && lastAt < payment.capturedAt.getTime() - SLACK_MS))
      return [...found.values()];
  }
  throw new ProviderError('unknown', 'refunds', 'Monnify has too many refunds to read them all');
}
