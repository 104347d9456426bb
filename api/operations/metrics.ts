import express from 'express';
import { Gauge, Registry } from 'prom-client';
import type { Context } from '../../config/context.ts';
import { withDeadline } from '../../config/deadline.ts';
import { isArchiveFailing, lastBackupAt } from '../../config/observability/log-archive.ts';
import { mailFigures } from '../../domain/mail/figures.ts';
import { countWrongBooks } from '../../domain/settlements/discrepancy/count-open.ts';
import { oldestDueMs } from '../../domain/shared/due-groups.ts';
import { findFailingRows } from '../../domain/shared/failing-rows.ts';
import { deliveryFigures } from '../../domain/webhooks/delivery/figures.ts';
import { requireOperator } from '../middleware/operator.ts';

const WINDOW_MS = 5 * 60_000;

/** A row is a series, so they are few. */
const FAILING_ROWS = 20;

/** More are not counted: one is too many. */
const WRONG_BOOKS = 1_000;

const FIGURES_WITHIN_MS = 5_000;

/**
 * Behind the operators' credentials: what this process counted, and figures of few rows from the
 * database, the same at every API and missing while it is away.
 */
export function metrics(context: Context): express.Router {
  // Exactly this address: a proxy that hides it need not know other spellings.
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/metrics', requireOperator(context), async (_request, response) => {
    const counted = context.metrics.registry;
    const texts = await Promise.all([counted.metrics(), readFigures(context)]);
    response.type(counted.contentType).set('Cache-Control', 'no-store').send(texts.join('\n'));
  });
  return router;
}

async function readFigures(context: Context): Promise<string> {
  try {
    const registry = await withDeadline(registryOf(context), FIGURES_WITHIN_MS);
    return await registry.metrics();
  } catch (error) {
    context.log.warn('figures not read', { error: (error as Error).message });
    return '';
  }
}

type Sample = [labels: Record<string, string>, value: number];

async function registryOf({ db, clock }: Context): Promise<Registry> {
  const now = clock();
  const since = new Date(now.getTime() - WINDOW_MS);
  const [oldest, failingRows, isNotArchived, backedUpAt, wrongBooks, figures, mails] =
    await Promise.all([
      oldestDueMs(db, now),
      findFailingRows(db, FAILING_ROWS),
      isArchiveFailing(db),
      lastBackupAt(db),
      countWrongBooks(db, WRONG_BOOKS),
      deliveryFigures(db, since, now),
      mailFigures(db, since, now),
    ]);
  const registry = new Registry();
  // Without its labels a gauge that has no samples would say 0.
  const gauge = (name: string, help: string, labelNames: string[], samples: Sample[]) => {
    const made = new Gauge({ name, help, labelNames, registers: [registry] });
    for (const [labels, value] of samples) made.set(labels, value);
  };
  gauge(
    'pcs_oldest_due_seconds',
    'Age of the oldest due row; 0: nothing is due.',
    ['queue'],
    Object.entries(oldest).map(([queue, ms]) => [{ queue }, ms / 1_000]),
  );
  gauge(
    'pcs_row_failures',
    `Failures in a row of a row that failed more than eight times; the worst ${FAILING_ROWS}.`,
    ['queue', 'row'],
    failingRows.map(({ queue, id: row, failures }) => [{ queue, row }, failures]),
  );
  gauge(
    'pcs_log_archive_failing',
    'Whether PostgreSQL fails to archive its log (1) or not (0).',
    [],
    [[{}, Number(isNotArchived)]],
  );
  if (backedUpAt)
    gauge(
      'pcs_backup_age_seconds',
      'Age of the newest backup; missing where backups do not tell the database of it.',
      [],
      [[{}, (now.getTime() - backedUpAt.getTime()) / 1_000]],
    );
  gauge(
    'pcs_books_wrong',
    `Records of which the journal says something else, as last compared; ${WRONG_BOOKS}: or more.`,
    [],
    [[{}, wrongBooks]],
  );
  gauge(
    'pcs_webhook_tries_5m',
    'Tries to deliver a webhook in the last 5 minutes, by outcome.',
    ['outcome'],
    figures.tries.map(({ outcome, tries }) => [{ outcome }, tries]),
  );
  gauge(
    'pcs_webhook_deliveries_5m',
    'Webhook deliveries that ended in the last 5 minutes, by status.',
    ['status'],
    figures.ended.map(({ status, deliveries }) => [{ status }, deliveries]),
  );
  const { p50, p99 } = figures.firstTryMs;
  gauge(
    'pcs_webhook_first_try_seconds_5m',
    'Time from an event to the end of its first try, in the last 5 minutes.',
    ['quantile'],
    Object.entries({ '0.5': p50, '0.99': p99 }).flatMap(([quantile, ms]): Sample[] =>
      ms === null ? [] : [[{ quantile }, ms / 1_000]],
    ),
  );
  gauge(
    'pcs_webhook_failure_ratio_5m',
    'Failed tries of an endpoint over all its tries, in the last 5 minutes; the worst 50.',
    ['endpoint'],
    figures.failing.map(({ endpoint_id: endpoint, failed, tries }) => [
      { endpoint },
      failed / tries,
    ]),
  );
  gauge(
    'pcs_mails_5m',
    'Mails that ended in the last 5 minutes, by status.',
    ['status'],
    Object.entries(mails.ended).map(([status, ended]) => [{ status }, ended]),
  );
  gauge(
    'pcs_mails_waiting',
    'Mails that wait for another try: after a failure, or for the next day of a limit.',
    ['reason'],
    Object.entries(mails.waiting).map(([reason, waiting]) => [{ reason }, waiting]),
  );
  gauge(
    'pcs_mails_oldest_waiting_seconds',
    'Since when the oldest of them waits, but for reminders and notices.',
    [],
    [[{}, mails.oldestWaitingMs / 1_000]],
  );
  return registry;
}
