import { setTimeout } from 'node:timers/promises';
import type { Context } from '../../config/context.ts';
import { settlementContext } from '../../config/settlement-context.ts';
import {
  findConnection,
  type NamedConnection,
} from '../../domain/accounts/connection/connection.ts';
import type { ProviderError } from '../../domain/providers/port/provider-error.ts';
import { type BooksReport, reportBooks } from '../../domain/settlements/books/report.ts';
import { auditPayments } from '../../domain/settlements/payment-audit/audit.ts';
import type { AuditContext, AuditSpan } from '../../domain/settlements/payment-audit/context.ts';
import type { Span } from '../../domain/settlements/settlement/context.ts';
import { reconcile } from '../../domain/settlements/settlement/reconcile.ts';
import {
  emptyReport,
  type Report,
  type ReportDays,
  reportOn,
} from '../../domain/settlements/settlement/report.ts';
import { patient, reasonOf, untilTaken } from './patience.ts';

export interface Reconciled {
  connection: NamedConnection;
  report: Report;
  books: BooksReport;
  /** Why it could not be read completely, in a sentence; null: it was. */
  failure: string | null;
}

/** About 100,000 payments. All of them are compared every night. */
const BOOKS_MS = 60_000;

const nothingCompared: BooksReport = { balances: [], isWhole: false, wrongCount: 0 };

/** Reconciles and audits a connection's days, compares its books, reports. Throws nothing. */
export async function reconcileOne(
  context: Context,
  connection: NamedConnection,
  days: ReportDays,
  stopped: AbortSignal,
  patience = patient(),
): Promise<Reconciled> {
  const { db, inTx, log } = context;
  const patiently = <T>(work: () => Promise<T>) => untilTaken(patience, stopped, work);
  const failed = (error: unknown): string => {
    log.debug('reconciling a connection failed', { connection_id: connection.id, error });
    return reasonOf(error);
  };
  const read = () => reconcileAndAudit(context, connection, days, stopped);
  const failure = await patiently(read).catch(failed);
  try {
    const account = (await findConnection(db, connection.id))!;
    const endsAtMs = performance.now() + BOOKS_MS;
    const hasTime = () => !stopped.aborted && performance.now() < endsAtMs;
    const books = await patiently(() => reportBooks({ db, inTx, account, hasTime }));
    const report = await patiently(() => reportOn(db, account, days));
    return { connection, report, books, failure };
  } catch (error) {
    const nothing = { report: emptyReport(), books: nothingCompared };
    return { connection, ...nothing, failure: failure ?? failed(error) };
  }
}

async function reconcileAndAudit(
  context: Context,
  { id }: NamedConnection,
  days: ReportDays,
  stopped: AbortSignal,
): Promise<string | null> {
  const account = (await findConnection(context.db, id))!;
  const deps = {
    ...settlementContext(context, account, Number.POSITIVE_INFINITY),
    triesAllAgain: true,
    hasTime: () => !stopped.aborted,
  };
  const span = spanOf(days);
  const error =
    (await repeat(stopped, () => reconcile(deps, span))) ?? (await auditAll(deps, span, stopped));
  return error?.message ?? null;
}

/** Lagos is an hour before UTC. */
function spanOf({ from, to }: ReportDays): Span {
  return { from: new Date(`${from}T00:00:00+01:00`), to: new Date(`${to}T23:59:59.999+01:00`) };
}

/** The notification of a payment younger than this may still arrive. */
const SETTLED_DOWN_MS = 15 * 60_000;

function auditAll(deps: AuditContext, { from, to }: Span, stopped: AbortSignal) {
  const latest = deps.clock().getTime() - SETTLED_DOWN_MS;
  if (from.getTime() > latest) return null;
  const until = new Date(Math.min(to.getTime(), latest));
  let span: AuditSpan = { from, to: until, cursor: null, isListed: false };
  return repeat(stopped, async () => {
    const { rest, error } = await auditPayments(deps, span);
    span = rest ?? span;
    return { isDone: rest === null, error };
  });
}

/** Repeats a step until it is done; returns why it cannot be. */
async function repeat(
  stopped: AbortSignal,
  step: () => Promise<{ isDone: boolean; error: ProviderError | null }>,
): Promise<ProviderError | null> {
  for (;;) {
    const { isDone, error } = await step();
    if (isDone || stopped.aborted) return null;
    if (error && !(await waitFor(error, stopped))) return error;
  }
}

const USUAL_WAIT_MS = 5_000;

/** True once the provider's rate limit allows the next call. */
async function waitFor(error: ProviderError, stopped: AbortSignal): Promise<boolean> {
  if (error.kind !== 'limited') return false;
  const waiting = setTimeout(error.retryAfterMs ?? USUAL_WAIT_MS, undefined, { signal: stopped });
  await waiting.catch(() => {});
  return !stopped.aborted;
}
