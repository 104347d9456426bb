import type { Context } from '../config/context.ts';
import type { NewSpan } from '../config/observability/tracing.ts';
import type { RowQueue } from '../domain/jobs.ts';
import { isDeferral, type ProviderError } from '../domain/providers/port/provider-error.ts';
import type { ClaimedRow } from '../domain/shared/due-rows.ts';
import { nextRetryAt, nextSnoozeAt } from '../domain/shared/retry.ts';

/** Works on the rows of one queue. */
export interface JobHandler<Row extends ClaimedRow = ClaimedRow> {
  queue: RowQueue;
  /**
   * SQL that ends the statement of the claim: it reads the claimed rows as `claimed`, may join what
   * else the job needs, and may begin with further parts, after a comma. `$3` is the time. Absent:
   * the rows alone.
   */
  select?: string;
  /** The trace that the work on a row belongs to; absent: one of its own. */
  traceOf?(row: Row): Pick<NewSpan, 'subject' | 'links'>;
  /**
   * Works on claimed rows. Returns one promise for each, in their order, so that a slow row does
   * not delay the others. A promise that rejects is a failed job: its row is retried.
   */
  handle(context: Context, rows: readonly Row[]): Promise<Outcome>[];
}

/** The `handle` of a queue whose rows are worked on one by one. */
export const eachRow =
  <Row extends ClaimedRow>(
    handleRow: (context: Context, row: Row) => Promise<Outcome>,
  ): JobHandler<Row>['handle'] =>
  (context, rows) =>
    rows.map((row) => handleRow(context, row));

/** How a job ends. */
export type Outcome = (Completed | Retry | Snooze | Discard) & {
  /**
   * Resolves when the handler has recorded what it learned. Where it is given, the row's slot is
   * free already: the call to the outside has ended.
   */
  recorded?: Promise<void>;
};

/** More fields of the job's log line. */
type LogFields = Record<string, unknown>;

/** The job itself wrote its row. */
interface Completed {
  type: 'completed';
  fields?: LogFields;
}

/** The row is due again at that time. */
interface Retry {
  type: 'retry';
  at: Date;
  reason: string;
  fields?: LogFields;
}

/** The same, and it costs no try: nothing was sent, or there is more to do. */
interface Snooze extends Omit<Retry, 'type'> {
  type: 'snooze';
}

/** The row is never due again. */
interface Discard {
  type: 'discard';
  reason: string;
  fields?: LogFields;
}

export const completed = (fields: LogFields = {}): Outcome => ({ type: 'completed', fields });

export const retry = (at: Date, reason: string, fields: LogFields = {}): Outcome => ({
  type: 'retry',
  at,
  reason,
  fields,
});

export const snooze = (at: Date, reason: string): Outcome => ({ type: 'snooze', at, reason });

export const discard = (reason: string, fields: LogFields = {}): Outcome => ({
  type: 'discard',
  reason,
  fields,
});

/**
 * The outcome of a job whose provider gave no answer: a snooze where the provider was not called or
 * asked to be called later, else a retry.
 */
export function retryOrSnooze(
  { tries, snoozes }: Pick<ClaimedRow, 'tries' | 'snoozes'>,
  error: Pick<ProviderError, 'kind' | 'message' | 'retryAfterMs'>,
  now: Date,
): Outcome {
  return isDeferral(error)
    ? snooze(nextSnoozeAt(snoozes, error.retryAfterMs, now), error.message)
    : retry(nextRetryAt(tries - snoozes, now), error.message);
}
