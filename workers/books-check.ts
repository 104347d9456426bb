import type { Context } from '../config/context.ts';
import { type ClaimedTask, SELECT_TASKS } from '../domain/accounts/connection/tasks.ts';
import { READING_MS } from '../domain/jobs.ts';
import { checkBooks } from '../domain/settlements/books/check.ts';
import type { BooksPosition } from '../domain/settlements/books/sources.ts';
import { endRound } from './end-round.ts';
import { eachRow, type JobHandler, type Outcome } from './job-handler.ts';
import { nextNight } from './next-night.ts';

type BooksTask = ClaimedTask<BooksPosition>;

export const checkBooksNightly: JobHandler<BooksTask> = {
  queue: 'books-check',
  select: SELECT_TASKS,
  handle: eachRow(check),
};

async function check(context: Context, task: BooksTask): Promise<Outcome> {
  const { db, inTx, clock } = context;
  const { connection: account } = task;
  const startedMs = performance.now();
  const hasTime = () => performance.now() - startedMs < READING_MS;
  const rest = await checkBooks({ db, inTx, account, hasTime }, task.progress);
  const [doneAt, dueAt] = rest === null ? [clock(), nextNight(clock())] : [null, null];
  return endRound(context, task, { progress: rest, doneAt, dueAt });
}
