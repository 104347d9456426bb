import type { Context } from '../config/context.ts';
import { askAttempt } from '../domain/attempt/ask.ts';
import { nextCheckOf } from '../domain/attempt/record.ts';
import type { AttemptRow } from '../domain/attempt/row.ts';
import { isDeferral, ProviderError } from '../domain/providers/provider.ts';
import { findConnection } from '../domain/tenant/connection.ts';
import { type Duty, done, later, laterAfter, never, type Outcome } from './pool.ts';

/** Asks the provider what became of an attempt: payments are found even when no notification comes. */
export const checkCharge: Duty<AttemptRow> = { queue: 'charge-check', work: check };

async function check(context: Context, attempt: AttemptRow): Promise<Outcome> {
  const provider = context.providerOf((await findConnection(context.db, attempt.connection_id))!);
  const answer = await askAttempt(
    { atomically: context.atomically, clock: context.clock, provider },
    attempt,
    context.timeouts.verifyMs,
  );
  if (!(answer instanceof ProviderError)) return done;
  // Nobody was asked: the question is still this one, be it the last of all.
  if (isDeferral(answer)) return laterAfter(attempt, answer, context.clock());
  const dueAt = await nextCheckOf(context.db, attempt.id, context.clock());
  return dueAt ? later(dueAt, answer.message) : never(answer.message);
}
