import type { Context } from '../config/context.ts';
import { findConnection } from '../domain/accounts/connection/connection.ts';
import { nextCheckOf } from '../domain/payments/attempt/record-attempt.ts';
import type { AttemptRow } from '../domain/payments/attempt/row.ts';
import { askAttempt } from '../domain/payments/attempt/verify-attempt.ts';
import { isDeferral, ProviderError } from '../domain/providers/provider.ts';
import { done, type JobHandler, later, laterAfter, never, type Outcome } from './pool.ts';

/** Asks the provider what became of an attempt: payments are found even when no notification comes. */
export const checkCharge: JobHandler<AttemptRow> = { queue: 'charge-check', work: check };

async function check(context: Context, attempt: AttemptRow): Promise<Outcome> {
  const provider = context.providerOf((await findConnection(context.db, attempt.connection_id))!);
  const answer = await askAttempt(
    { inTx: context.inTx, clock: context.clock, provider },
    attempt,
    context.timeouts.verifyMs,
  );
  if (!(answer instanceof ProviderError)) return done;
  // Nobody was asked: the question is still this one, be it the last of all.
  if (isDeferral(answer)) return laterAfter(attempt, answer, context.clock());
  const dueAt = await nextCheckOf(context.db, attempt.id, context.clock());
  return dueAt ? later(dueAt, answer.message) : never(answer.message);
}
