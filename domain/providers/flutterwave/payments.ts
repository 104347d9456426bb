import type { Page, SpanQuery } from '../payouts.ts';
import type { ProviderCapture } from '../provider.ts';
import type { Line } from './call.ts';
import { windowSince } from './dates.ts';
import { cursorAfter, placeAt, readPage } from './pages.ts';
import { readCapture, stateOf } from './transaction.ts';

const stage = 'list payments';

/** Every try that took money, by the day it was begun. What went back since is told by the refunds alone. */
export async function listPayments(
  line: Line,
  { from, to, cursor }: SpanQuery,
): Promise<Page<ProviderCapture>> {
  const place = placeAt(cursor);
  const list = {
    path: '/transactions',
    query: windowSince(from, to),
    thing: 'transaction' as const,
    stage,
  };
  const read = await readPage(line, list, place.page);
  const paid = read.rows.filter((row) => stateOf(row) === 'paid');
  return {
    rows: paid.map((row) => readCapture(row, stage)),
    next: cursorAfter(place, read, stage),
  };
}
