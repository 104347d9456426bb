import type { Context } from '../config/context.ts';
import {
  type ClaimedTask,
  type EndedRound,
  recordRounds,
  type TaskRound,
} from '../domain/accounts/connection/tasks.ts';
import { isDeferral, type ProviderError } from '../domain/providers/port/provider-error.ts';
import { completed, type Outcome, retry, retryOrSnooze, snooze } from './job-handler.ts';

/**
 * Records a round of a connection's task. One that has not ended goes on at once; after an error it
 * does at `againAt`, or once the provider takes calls. `record`: where rounds are written together.
 */
export async function endRound(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  task: ClaimedTask<unknown>,
  round: TaskRound,
  failure: { error: ProviderError; againAt: Date } | null = null,
  record: (ended: EndedRound) => Promise<unknown> = (ended) => recordRounds(db, [ended]),
): Promise<Outcome> {
  await record({ ...round, task });
  if (!failure) return round.doneAt ? completed() : snooze(clock(), 'there is more to read');
  const { error, againAt } = failure;
  return isDeferral(error) ? retryOrSnooze(task, error, clock()) : retry(againAt, error.message);
}
