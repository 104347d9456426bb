import { createBatcher, GATHER_MS } from '../config/batcher.ts';
import type { Context } from '../config/context.ts';
import { createProviderLookup } from '../config/queues/provider-lookup.ts';
import { createWaitingRows } from '../config/queues/waiting-rows.ts';
import { type DueRow, type Job, jobTimeoutMs, type QueueSpec, queues } from '../domain/jobs.ts';
import { type DueGroups, findDueGroups } from '../domain/shared/due-groups.ts';
import { claimRows, type SettledRow, settleRows } from '../domain/shared/due-rows.ts';
import { begin, type ClaimedGroupRow, free, type RowWork } from './begin-rows.ts';
import { type Ending, logEndings, textOf } from './endings.ts';
import type { JobHandler } from './job-handler.ts';
import { createPull } from './pull-rows.ts';
import { retryBriefly } from './retry-briefly.ts';
import { createSlots, type Group } from './slots.ts';
import { wakeRows } from './wake-rows.ts';

/** The rows that a job names, by group. */
export interface GroupedRows {
  group: string;
  rows: readonly DueRow[];
}

/** The jobs of one queue in one process. */
export interface JobLoop {
  /**
   * Runs a job: claims those of its rows that find a slot, lets the handler work on them, settles
   * each as it ends, logs them together. Returns how they ended, without rows that were not
   * claimed: a row without a slot stays due, and is claimed from its table as soon as its group has
   * a slot. Throws while the process stops.
   */
  run(job: readonly GroupedRows[]): Promise<Ending[]>;
  /**
   * Begins with rows that find a slot, as `run` does, without a job. Returns the others, at once.
   */
  take(jobs: readonly Job[]): Job[];
  /** Claims all due rows of groups from their table, as slots come free. Returns at once. */
  claimAll(groups: readonly string[]): Promise<void>;
  /**
   * Makes rows of a group that failed in this process due soon, and enqueues them. What was claimed
   * since then is left alone. Does nothing in queues that are not woken.
   */
  wake(group: string): void;
  /**
   * Finds the groups that have due rows and claims those, as many as slots are free: what to do
   * while no job can arrive.
   */
  workWithoutJobs(): Promise<void>;
  /** True: nothing is in flight, and nothing waits for a slot. */
  isIdle(): boolean;
  /** Begins nothing new; resolves when what is in flight has ended. */
  close(): Promise<void>;
}

/** Groups that one statement looks at. */
const GROUPS_PER_PAGE = 500;

/**
 * Rows that several jobs name at one moment are claimed, and settled, in one statement; so are the
 * next rows of groups whose slots come free at one moment.
 */
export function createJobLoop(
  context: Context,
  handler: JobHandler,
  timeoutMs = jobTimeoutMs(handler.queue),
): JobLoop {
  const { queue } = handler;
  const { db, log, clock } = context;
  const work = createRowWork(context, handler, timeoutMs);
  const { slots, underWay } = work;
  const runRow = createRowRunner(work);
  const providers = createProviderLookup(db, queue);
  const groupsOf = async (ids: readonly string[]): Promise<Group[]> => {
    const known = await providers.find(ids);
    return ids.map((id) => ({ id, provider: known.get(id) }));
  };
  const claimAll = async (ids: readonly string[]) => {
    for (const group of await groupsOf(ids)) slots.addBacklog(group);
    work.pull();
  };
  return {
    async run(job) {
      if (work.isStopped) throw new Error('The process is stopping and begins nothing new.');
      const groups = await groupsOf(job.map(({ group }) => group));
      const running = job.flatMap(({ rows }, n) => {
        const group = groups[n]!;
        const count = slots.take(group, rows.length);
        if (count < rows.length) slots.addBacklog(group);
        return rows.slice(0, count).map((row) => runRow(group, row));
      });
      work.pull();
      const endings = (await Promise.all(running)).filter((one) => one !== undefined);
      logEndings(log, queue, endings);
      return endings;
    },
    take(jobs) {
      if (work.isStopped) return [...jobs];
      const running: Promise<Ending | undefined>[] = [];
      const left = jobs.filter((job) => {
        const group = { id: job.group };
        if (slots.take(group, 1) === 0) return true;
        running.push(runRow(group, job));
        return false;
      });
      const ended = Promise.all(running).then((endings) => {
        underWay.delete(ended);
        logEndings(
          log,
          queue,
          endings.filter((one) => one !== undefined),
        );
      });
      underWay.add(ended);
      return left;
    },
    claimAll,
    wake: (group) => work.settling.waiting?.wake(group),
    async workWithoutJobs() {
      for (let after: string | null = ''; after !== null && !work.isStopped; ) {
        const page = { after, limit: GROUPS_PER_PAGE };
        const found: DueGroups = await findDueGroups(db, queue, clock(), page);
        await claimAll(found.groups);
        after = found.next;
      }
    },
    isIdle: () => slots.isIdle() && underWay.size === 0,
    async close() {
      work.isStopped = true;
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

function createRowWork(context: Context, handler: JobHandler, timeoutMs: number): RowWork {
  const { queue } = handler;
  const settles = createBatcher(
    async (settled: readonly SettledRow[]) => {
      await retryBriefly(() => settleRows(context.db, queue, settled));
      return settled.map(() => undefined);
    },
    { gatherMs: GATHER_MS },
  );
  const underWay: RowWork['underWay'] = new Set();
  const wake = (group: string, rows: readonly DueRow[]) => {
    const woken = wakeRows(context, queue, { group, rows }).finally(() => underWay.delete(woken));
    underWay.add(woken);
  };
  const { isWoken = false } = queues[queue] as QueueSpec;
  const waiting = isWoken ? createWaitingRows(wake) : undefined;
  const work: RowWork = {
    context,
    handler,
    slots: createSlots(queues[queue]),
    settling: { context, queue, settles, timeoutMs, waiting },
    underWay,
    isStopped: false,
    pull: () => pull(),
  };
  const pull = createPull(work);
  return work;
}

interface RowToClaim {
  of: Group;
  due: DueRow;
}

/** Claims and handles a row that has a slot; undefined where it cannot be claimed. */
function createRowRunner(work: RowWork) {
  const { context, handler } = work;
  const { queue, select } = handler;
  const claim = async (wanted: readonly RowToClaim[]) => {
    const due = wanted.map((one) => one.due);
    const { db, clock } = context;
    const rows = await retryBriefly(() => claimRows(db, queue, due, clock(), select));
    const claimed: ClaimedGroupRow[] = rows.flatMap((row, n) =>
      row ? [{ group: wanted[n]!.of, row }] : [],
    );
    const endings = begin(work, claimed).values();
    // In an object, because whoever waits for the claim does not wait for the ending.
    return rows.map((row) => row && { ending: endings.next().value! });
  };
  const claims = createBatcher(claim, { gatherMs: GATHER_MS });
  return async (of: Group, due: DueRow): Promise<Ending | undefined> => {
    try {
      const claimed = await claims.load({ of, due });
      if (claimed) return claimed.ending;
      free(work, of, 'unknown');
      return undefined;
    } catch (error) {
      free(work, of, 'unknown');
      context.log.error('job not claimed', { queue, row: due.id, error: textOf(error) });
      return { outcome: 'failed', error, row: due.id, group: of.id, fields: {}, durationMs: 0 };
    }
  };
}
