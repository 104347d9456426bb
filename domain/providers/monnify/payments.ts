import type { Page, SpanQuery } from '../payouts.ts';
import type { CallOptions, ProviderCapture } from '../provider.ts';
import { roundedKoboOfNaira } from '../read.ts';
import { pageOf } from './pages.ts';
import type { Session } from './session.ts';
import { readCapture, stateOf } from './transaction.ts';

/** Payments are listed by when they were begun. A pay page lives forty minutes; a transfer to its account may come in much later. */
const PAID_LATER_MS = 24 * 3_600_000;

/** The account's payments that were taken, reversed ones included, whoever made them. */
export async function listPayments(
  session: Session,
  { from, to, cursor }: SpanQuery,
  options: CallOptions,
): Promise<Page<ProviderCapture>> {
  const stage = 'payments';
  const query = { from: String(from.getTime() - PAID_LATER_MS), to: String(to.getTime()) };
  const { rows, next } = await pageOf(
    session,
    { stage, path: '/api/v1/transactions/search', query },
    cursor,
    options,
  );
  const paid = rows.filter((row) => stateOf(row).state === 'paid');
  return { rows: paid.map((row) => readRow(row, stage)), next };
}

/** A row of the search, which names some things otherwise than the query shape does, and says what the fee is. */
function readRow(row: Record<string, unknown>, stage: string): ProviderCapture {
  const { currencyCode, completedOn, amountPaid, settlementAmount } = row;
  const capture = readCapture(
    {
      ...row,
      currency: currencyCode,
      paidOn: completedOn,
      amountPaid: amountPaid ?? paidInFull(row),
    },
    stage,
  );
  return (settlementAmount ?? null) === null
    ? { ...capture, feeKobo: feeOf(row, capture.amountKobo) }
    : capture;
}

/** Some rows do not say what was paid. What was to be paid, `payableAmount`, is the same where all of it was: not where less or more was. */
const inFull = new Set(['PAID', 'REVERSED', 'REFUNDED']);

function paidInFull(row: Record<string, unknown>): unknown {
  return inFull.has(stateOf(row).status) ? row.payableAmount : undefined;
}

/** `fee` beside a `providerAmount` is Monnify's own part of it. A fee of nothing is one not reckoned yet, or given back. */
function feeOf(
  { fee, providerAmount }: Record<string, unknown>,
  amountKobo: number,
): number | null {
  const feeKobo = (providerAmount ?? null) === null ? roundedKoboOfNaira(fee) : null;
  return feeKobo === null || feeKobo === 0 || feeKobo > amountKobo ? null : feeKobo;
}
