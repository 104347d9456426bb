import type { Context } from '../config/context.ts';
import type { NewSpan } from '../config/observability/tracing.ts';
import type { RowQueue } from '../domain/jobs.ts';
import { isDeferral, type ProviderError } from '../domain/providers/port/provider-error.ts';
import type { ClaimedRow } from '../domain/shared/due-rows.ts';
import { nextRetryAt, nextSnoozeAt } from '../domain/shared/retry.ts';

export interface JobHandler<Row extends ClaimedRow = ClaimedRow> {
  queue: RowQueue;
  /**
   * SQL that ends the claim's statement: reads `claimed`, may join more, and may begin with further
   * parts, after a comma. `$3` is the time. Absent: the rows alone.
   */
  select?: string;
  /** The trace that the work on a row belongs to; absent: one of its own. */
  traceOf?(row: Row): Pick<NewSpan, 'subject' | 'links'>;
  /** Returns a promise for each row, in their order. One that rejects is a failed job, retried. */
  handle(context: Context, rows: readonly Row[]): Promise<Outcome>[];
}

export const eachRow =
  <Row extends ClaimedRow>(
    handleRow: (context: Context, row: Row) => Promise<Outcome>,
  ): JobHandler<Row>['handle'] =>
  (context, rows) =>
    rows.map((row) => handleRow(context, row));

export type Outcome = (Completed | Retry | Snooze | Discard) & {
  /** Resolves when what was learned is recorded. Where given, the row's slot is free already. */
  recorded?: Promise<void>;
};

type LogFields = Record<string, unknown>;

/** The job wrote its row. */
type Completed = { type: 'completed'; fields?: LogFields };

type Retry = { type: 'retry'; at: Date; reason: string; fields?: LogFields };

/** Costs no try: nothing was sent, or there is more to do. */
interface Snooze extends Omit<Retry, 'type'> {
  type: 'snooze';
}

type Discard = { type: 'discard'; reason: string; fields?: LogFields };

export const completed = (fields: LogFields = {}): Outcome => ({ type: 'completed', fields });

export const retry = (at: Date, reason: string, fields: LogFields = {}): Outcome => ({
  type: 'retry',
  at,
  reason,
  fields,
});

export const snooze = (at: Date, reason: string, fields: LogFields = {}): Outcome => ({
  type: 'snooze',
  at,
  reason,
  fields,
});

export const discard = (reason: string, fields: LogFields = {}): Outcome => ({
  type: 'discard',
  reason,
  fields,
});

/** Snooze where the provider was not called or asked to be called later, else retry. */
export function retryOrSnooze(
  { tries, snoozes }: Pick<ClaimedRow, 'tries' | 'snoozes'>,
  error: Pick<ProviderError, 'kind' | 'message' | 'retryAfterMs'>,
  now: Date,
): Outcome {
  return isDeferral(error)
    ? snooze(nextSnoozeAt(snoozes, error.retryAfterMs, now), error.message)
    : retry(nextRetryAt(tries - snoozes, now), error.message);
}
