import type { Context } from '../config/context.ts';
import { findConnection, type StoredConnection } from '../domain/accounts/connection/connection.ts';
import type { ClaimedTask } from '../domain/accounts/connection/tasks.ts';
import { askTimes, READING_MS } from '../domain/jobs.ts';
import { isPaymentLikely } from '../domain/payments/attempt/watched.ts';
import { readPayments } from '../domain/payments/facts/read-payments.ts';
import {
  beginRound,
  type ListingProgress,
  nextRoundAfterFailure,
  nextRoundAt,
} from '../domain/payments/listing/round.ts';
import { endRound } from './end-round.ts';
import { eachRow, type JobHandler, type Outcome } from './job-handler.ts';

type ListingTask = ClaimedTask<ListingProgress>;

/** Lists payments every minute while one is likely, of disabled connections too. */
export const listPayments: JobHandler<ListingTask> = {
  queue: 'payments-list',
  handle: eachRow(list),
};

async function list(context: Context, task: ListingTask): Promise<Outcome> {
  const { db, inTx, recordFact, clock, timeouts, env } = context;
  const connectionId = task.connection_id;
  const connection = (await findConnection(db, connectionId))!;
  const provider = context.providerOf(connection, 'list');
  const verifier = context.providerOf(connection, 'notification');
  const startedMs = performance.now();
  const hasTime = () => performance.now() - startedMs < READING_MS;
  const { progress, error } = await readPayments(
    {
      ...{ db, inTx, recordFact, clock, provider, verifier, connectionId, hasTime },
      timeoutMs: timeouts.listMs,
      askTimes: askTimes(timeouts),
    },
    beginRound(task.progress, clock(), env.chargeLifetimeMs),
  );
  const isDone = progress.round === null;
  const doneAt = isDone ? clock() : null;
  const dueAt = isDone ? await nextRound(context, connection) : null;
  const againAt = nextRoundAfterFailure(clock(), progress.failures);
  return endRound(context, task, { progress, doneAt, dueAt }, error && { error, againAt });
}

async function nextRound({ db, clock }: Context, connection: StoredConnection): Promise<Date> {
  const isLikely = await isPaymentLikely({ sql: db, now: clock() }, connection);
  return nextRoundAt(clock(), isLikely, connection.id);
}
