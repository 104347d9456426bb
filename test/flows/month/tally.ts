import type { Counter, Sale } from './account.ts';
import { netOf, sum, waiting } from './account.ts';

/** What a bookkeeper comes to who has only the tally. All kobo. */
export interface Tally {
  expectedKobo: number;
  landedKobo: number;
  differenceKobo: number;
  notDue: { count: number; kobo: number };
  owedKobo: number;
}

/** Payouts as they should have been: what was paid, less fees and what went back, with the other business and what a provider lost. */
export function tallyOf(counter: Counter): Tally {
  const { sales, landedKobo, foreignKobo, takenKobo, unheardKobo, owedKobo } = counter;
  const due = sales.filter(
    ({ isPaidOut, isForgotten, isHeldBack }) => isPaidOut || isForgotten || isHeldBack,
  );
  const expectedKobo = sum(due.map(netOf)) + foreignKobo - (takenKobo - unheardKobo);
  const coming = waiting(counter).filter(({ isHeldBack }) => !isHeldBack);
  return {
    ...{ expectedKobo, landedKobo, differenceKobo: expectedKobo - landedKobo, owedKobo },
    notDue: { count: coming.length, kobo: sum(coming.map(netOf)) },
  };
}

/** All connections together. */
export function sumTallies(
  counters: readonly Counter[],
): Pick<Tally, 'expectedKobo' | 'landedKobo' | 'differenceKobo'> {
  const tallies = counters.map(tallyOf);
  const of = (name: 'expectedKobo' | 'landedKobo' | 'differenceKobo') =>
    sum(tallies.map((tally) => tally[name]));
  return {
    expectedKobo: of('expectedKobo'),
    landedKobo: of('landedKobo'),
    differenceKobo: of('differenceKobo'),
  };
}

/** What a sale's charge should be in the night after the last day: one not paid a day after it was made has failed. */
export function statusOf({ paidOn, madeOn, became, isPaidOut }: Sale, lastDay: number): string {
  if (paidOn === null) return madeOn < lastDay ? 'failed' : 'pending';
  return became ?? (isPaidOut ? 'settled' : 'succeeded');
}
