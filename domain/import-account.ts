import type { StoredConnection } from './accounts/connection/connection.ts';
import { postponeTask, startTaskNow } from './accounts/connection/tasks.ts';
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
import { ProviderError } from './providers/port/provider-error.ts';
import type { Page, SpanQuery } from './providers/port/settlement.ts';
import { lockAccount } from './settlements/account/account.ts';
import type { SettlementContext, Span } from './settlements/settlement/context.ts';
import { reconcile } from './settlements/settlement/reconcile.ts';
import { rematchImported } from './settlements/settlement/rematch-lines.ts';
import { madeAt } from './shared/ids.ts';
import { Problem } from './shared/problems.ts';
import { type Tx, toldSince, untold } from './shared/tx.ts';
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
}

/**
 * Brings in what an account did before it was connected: its payments since `from`, what went back
 * of them, and their payouts. Nobody is told of it; of payouts since the connection, and of the
 * service's own payments, as ever. What is on record is passed by: it may be stopped
 * anywhere, run again, and run beside a running service. Throws `invalid_state` where the provider
 * is not read, and a `ProviderError` where it does not answer.
 */
export async function* importAccount(context: ImportContext, from: Date): AsyncGenerator<Imported> {
  const { account, clock, provider } = context;
  const { listPastPayments, listPastRefunds } = provider;
  if (!listPastPayments || !listPastRefunds)
    throw new Problem('invalid_state', `The past of a ${account.adapter} account cannot be read.`);
  const inTx = untold(context.inTx);
  const quiet = { ...context, inTx };
  const span = { from, to: clock() };
  for await (const rows of pagesOf(context, listPastPayments, span)) {
    const payments = await inTx(async (tx) => {
      await lockAccount(tx, account);
      await postponePayouts(tx, account);
      return importPayments(tx, account, rows);
    });
    await askAboutReturns(quiet, rows);
    yield { payments, pages: 1 };
  }
  for await (const rows of pagesOf(context, listPastRefunds, span)) {
    await inTx(async (tx) => {
      await postponePayouts(tx, account);
      await importRefunds(tx, account, rows);
    });
    yield { payments: 0, pages: 1 };
  }
  const connectedAt = madeAt(account.id);
  await importPayouts({ ...context, inTx: toldSince(context.inTx, connectedAt) }, span);
}

const READING_MS = 5 * MINUTE_MS;

/** Until the import has read them, payments of the past would seem not to be paid out. */
function postponePayouts(tx: Tx, { id }: StoredConnection): Promise<void> {
  return postponeTask(tx, id, 'settlements', new Date(tx.now.getTime() + 3 * READING_MS));
}

async function* pagesOf<Row>(
  { patiently, timeoutMs }: ImportContext,
  list: Ask<SpanQuery, Page<Row>>,
  span: Pick<SpanQuery, 'from' | 'to'>,
): AsyncGenerator<Row[]> {
  for (let cursor: string | null = null; ; ) {
    const query: SpanQuery = { ...span, cursor };
    const page = await patiently(() => list(query, { timeoutMs }));
    yield page.rows;
    if (page.next === null) return;
    cursor = page.next;
  }
}

async function askAboutReturns(
  context: ImportContext,
  rows: readonly PastPayment[],
): Promise<void> {
  const { account, askTimes, db, inTx, patiently } = context;
  const recordFact: RecordFact = ({ attemptId, fact }) =>
    inTx((tx) => recordAttempt(tx, attemptId, fact));
  const asking = { ...context, recordFact };
  for (const attempt of await importedWithReturns({ sql: db }, account, rows))
    await patiently(async () => {
      const answer = await askAboutAttempt(asking, attempt, askTimes);
      if (answer instanceof ProviderError) throw answer;
    });
}

async function importPayouts(
  context: ImportContext,
  span: { from: Date; to: Date },
): Promise<void> {
  const { account, clock, inTx, patiently } = context;
  await inTx((tx) => rematchImported(tx, account.id));
  let rest: Span | null = span;
  while (rest)
    rest = await patiently(async () => {
      await inTx((tx) => postponePayouts(tx, account));
      const untilMs = clock().getTime() + READING_MS;
      const hasTime = () => context.hasTime() && clock().getTime() < untilMs;
      const { error, isDone, rest: left } = await reconcile({ ...context, hasTime }, { ...rest! });
      if (error) throw error;
      return isDone ? null : left;
    });
  await inTx((tx) => startTaskNow(tx, account.id, 'settlements'));
}
