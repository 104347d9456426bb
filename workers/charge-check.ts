import type { Context } from '../config/context.ts';
import { findConnection } from '../domain/accounts/connection/connection.ts';
import { askTimes } from '../domain/jobs.ts';
import type { AttemptRow } from '../domain/payments/attempt/row.ts';
import { nextUnplannedCheckAt } from '../domain/payments/attempt/schedule.ts';
import { findWatched, nextCheckOf } from '../domain/payments/attempt/watched.ts';
import { askAboutAttempt } from '../domain/payments/facts/ask-about-attempt.ts';
import { isDeferral, ProviderError } from '../domain/providers/port/provider-error.ts';
import {
  completed,
  eachRow,
  type JobHandler,
  type Outcome,
  retry,
  retryOrSnooze,
} from './job-handler.ts';

/** Verifies an attempt at its provider, so that payments without a notification are found. */
export const checkCharge: JobHandler<AttemptRow> = {
  queue: 'charge-check',
  traceOf: ({ charge_id }) => ({ subject: charge_id }),
  handle: eachRow(check),
};

async function check(context: Context, attempt: AttemptRow): Promise<Outcome> {
  const provider = context.providerOf(
    (await findConnection(context.db, attempt.connection_id))!,
    'check',
  );
  const answer = await askAboutAttempt(
    { ...context, provider },
    attempt,
    askTimes(context.timeouts),
  );
  if (!(answer instanceof ProviderError)) return completed();
  // The provider was not asked, so the same check is due again, even where it was the last one.
  if (isDeferral(answer)) return retryOrSnooze(attempt, answer, context.clock());
  const watched = await findWatched(context.db, attempt.id);
  const now = context.clock();
  return retry(nextCheckOf(watched, now) ?? nextUnplannedCheckAt(watched, now), answer.message);
}
