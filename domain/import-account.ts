import {
  markImported,
  markImporting,
  type StoredConnection,
} from './accounts/connection/connection.ts';
import { startTaskNow } from './accounts/connection/tasks.ts';
import type { AskTimes } from './jobs.ts';
import { askAboutAttempt } from './payments/facts/ask-about-attempt.ts';
import {
  importedWithReturns,
  importPayments,
  importRefunds,
} from './payments/facts/import-payments.ts';
import { recordAttempt } from './payments/facts/record-attempt.ts';
import type { RecordFact } from './payments/facts/record-together.ts';
import type { PastPayment } from './providers/port/payment.ts';
import type { Ask, Provider } from './providers/port/provider.ts';
import { onlyProviderError, ProviderError } from './providers/port/provider-error.ts';
import type { PastPage, SpanQuery, UnreadRow } from './providers/port/settlement.ts';
import { providerNamed } from './providers/registry.ts';
import { lockAccount } from './settlements/account/account.ts';
import type { SettlementContext, Span } from './settlements/settlement/context.ts';
import { reconcile } from './settlements/settlement/reconcile.ts';
import { rematchImported } from './settlements/settlement/rematch-lines.ts';
import { unreadPayouts } from './settlements/settlement/unreadable.ts';
import { madeAt } from './shared/ids.ts';
import { Problem } from './shared/problems.ts';
import { toldSince, untold } from './shared/tx.ts';
import { MINUTE_MS } from './shared/units.ts';

export interface ImportContext extends Omit<SettlementContext, 'provider' | 'account'> {
  provider: Provider;
  account: StoredConnection;
  askTimes: AskTimes;
  /** Repeats a call that may be repeated until it is answered, or throws. */
  patiently<Answered>(call: () => Promise<Answered>): Promise<Answered>;
}

/** What was recorded now, and what was read. */
export interface Imported {
  payments: number;
  pages: number;
  leftOut: LeftOut[];
}

/** It could not be read; a repeat reads it again. */
export interface LeftOut extends UnreadRow {
  what: 'payment' | 'refund' | 'refunds of payment' | 'payout';
}

/**
 * Brings in what an account did before it was connected: its payments since `from`, what went back
 * of them, and their payouts. Nobody is told of it; of payouts since the connection, and of the
 * service's own payments, as ever. What is on record is passed by: it may be stopped anywhere, run
 * again, and run beside a running service. Until it has ended, no imported payment counts as not
 * paid out. Throws `invalid_state` where the provider is not read, and a `ProviderError` where it
 * does not answer; a record that cannot be read is left out.
 */
export async function* importAccount(context: ImportContext, from: Date): AsyncGenerator<Imported> {
  const { account, clock, provider } = context;
  const { listPastPayments, listPastRefunds } = provider;
  if (!listPastPayments || !listPastRefunds)
    throw new Problem('invalid_state', pastObstacleOf(account));
  const inTx = untold(context.inTx);
  const quiet = { ...context, inTx };
  const span = { from, to: clock() };
  for await (const { rows, unread } of pagesOf(context, listPastPayments, span)) {
    const payments = await inTx(async (tx) => {
      await lockAccount(tx, account);
      await markImporting(tx, account.id); // another import of it may have ended meanwhile
      return importPayments(tx, account, rows);
    });
    const unasked = await askAboutReturns(quiet, rows);
    yield { payments, pages: 1, leftOut: [...namedAs('payment', unread), ...unasked] };
  }
  for await (const { rows, unread } of pagesOf(context, listPastRefunds, span)) {
    await inTx((tx) => importRefunds(tx, account, rows));
    yield { payments: 0, pages: 1, leftOut: namedAs('refund', unread) };
  }
  const connectedAt = madeAt(account.id);
  await importPayouts({ ...context, inTx: toldSince(context.inTx, connectedAt) }, span);
  yield { payments: 0, pages: 0, leftOut: namedAs('payout', await unreadPayouts(context)) };
}

function pastObstacleOf({ adapter }: StoredConnection): string {
  return `The past of a ${adapter} account cannot be read. ${providerNamed(adapter).pastObstacle}`;
}

function namedAs(what: LeftOut['what'], unread: readonly UnreadRow[]): LeftOut[] {
  return unread.map((row) => ({ what, ...row }));
}

async function* pagesOf<Row>(
  { patiently, timeoutMs }: ImportContext,
  list: Ask<SpanQuery, PastPage<Row>>,
  span: Pick<SpanQuery, 'from' | 'to'>,
): AsyncGenerator<PastPage<Row>> {
  for (let cursor: string | null = null; ; ) {
    const query: SpanQuery = { ...span, cursor };
    const page = await patiently(() => list(query, { timeoutMs }));
    yield page;
    if (page.next === null) return;
    cursor = page.next;
  }
}

/** One without an answer does not delay the others. */
async function askAboutReturns(
  context: ImportContext,
  rows: readonly PastPayment[],
): Promise<LeftOut[]> {
  const { account, askTimes, db, inTx, patiently } = context;
  const recordFact: RecordFact = ({ attemptId, fact }) =>
    inTx((tx) => recordAttempt(tx, attemptId, fact));
  const asking = { ...context, recordFact };
  const leftOut: LeftOut[] = [];
  for (const attempt of await importedWithReturns({ sql: db }, account, rows))
    try {
      await patiently(async () => {
        const answer = await askAboutAttempt(asking, attempt, askTimes);
        if (answer instanceof ProviderError) throw answer;
      });
    } catch (error) {
      const { message: why, refusesCredentials } = onlyProviderError(error);
      if (refusesCredentials) throw error;
      leftOut.push({ what: 'refunds of payment', name: attempt.reference, why });
    }
  return leftOut;
}

const READING_MS = 5 * MINUTE_MS;

async function importPayouts(
  context: ImportContext,
  span: { from: Date; to: Date },
): Promise<void> {
  const { account, clock, inTx, patiently } = context;
  await inTx((tx) => rematchImported(tx, account.id));
  let rest: Span | null = span;
  while (rest)
    rest = await patiently(async () => {
      const untilMs = clock().getTime() + READING_MS;
      const hasTime = () => context.hasTime() && clock().getTime() < untilMs;
      const { error, isDone, rest: left } = await reconcile({ ...context, hasTime }, { ...rest! });
      if (error) throw error;
      return isDone ? null : left;
    });
  await inTx(async (tx) => {
    await markImported(tx, account.id);
    await startTaskNow(tx, account.id, 'settlements');
  });
}
