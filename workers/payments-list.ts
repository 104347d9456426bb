import { type Batcher, createBatcher, GATHER_MS } from '../config/batcher.ts';
import type { Context } from '../config/context.ts';
import type { StoredConnection } from '../domain/accounts/connection/connection.ts';
import {
  type ClaimedTask,
  type EndedRound,
  recordRounds,
  SELECT_TASKS,
} from '../domain/accounts/connection/tasks.ts';
import { askTimes, READING_MS } from '../domain/jobs.ts';
import { arePaymentsLikely } from '../domain/payments/attempt/watched.ts';
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

interface Lister {
  likely: Batcher<StoredConnection, boolean>;
  rounds: Batcher<EndedRound, undefined>;
}

/**
 * Lists payments every minute while one is likely, of disabled connections too. Of thousands of
 * businesses many are listed at a time: they share statements.
 */
export function createPaymentsLister(context: Context): JobHandler<ListingTask> {
  const { db, clock } = context;
  const gathered = { gatherMs: GATHER_MS };
  const lister: Lister = {
    likely: createBatcher(
      (connections: readonly StoredConnection[]) =>
        arePaymentsLikely({ sql: db, now: clock() }, connections),
      gathered,
    ),
    rounds: createBatcher(async (ended: readonly EndedRound[]) => {
      await recordRounds(db, ended);
      return ended.map(() => undefined);
    }, gathered),
  };
  return {
    queue: 'payments-list',
    select: SELECT_TASKS,
    handle: eachRow((given, task) => list(given, lister, task)),
  };
}

async function list(
  context: Context,
  { likely, rounds }: Lister,
  task: ListingTask,
): Promise<Outcome> {
  const { db, inTx, recordFact, clock, timeouts, env } = context;
  const { connection, connection_id: connectionId } = task;
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
  const dueAt = isDone ? nextRoundAt(clock(), await likely.load(connection), connectionId) : null;
  const againAt = nextRoundAfterFailure(clock(), progress.failures);
  const round = { progress, doneAt, dueAt };
  return endRound(context, task, round, error && { error, againAt }, (ended) => rounds.load(ended));
}
