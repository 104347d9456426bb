import type { MonthAccount, Sale } from './account.ts';
import { netOf, sum, waiting } from './account.ts';

/**
 * Computes what payouts should have been: what was paid, less fees, refunds and chargebacks, with
 * the other business and the payments that a provider lost.
 */
export function tallyOf(account: MonthAccount) {
  const { sales, landedKobo, foreignKobo, takenKobo, owedKobo } = account;
  const due = sales.filter(
    ({ isPaidOut, isForgotten, isHeldBack }) => isPaidOut || isForgotten || isHeldBack,
  );
  const expectedKobo = sum(due.map(netOf)) + foreignKobo - takenKobo;
  const coming = waiting(account).filter(({ isHeldBack }) => !isHeldBack);
  return {
    ...{ expectedKobo, landedKobo, differenceKobo: expectedKobo - landedKobo, owedKobo },
    notDue: { count: coming.length, kobo: sum(coming.map(netOf)) },
  };
}

/**
 * The status of a sale's charge in the night after the last day. One that is not paid a day after
 * it was made has failed.
 */
export function statusOf({ paidOn, madeOn, became, isPaidOut }: Sale, lastDay: number): string {
  if (paidOn === null) return madeOn < lastDay ? 'failed' : 'pending';
  return became ?? (isPaidOut ? 'settled' : 'succeeded');
}
