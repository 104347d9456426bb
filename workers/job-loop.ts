import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBatcher } from '../config/batcher.ts';
import type { Context } from '../config/context.ts';
import { retryBriefly } from '../config/retry-briefly.ts';
import { type DueRow, jobTimeoutMs, queues } from '../domain/jobs.ts';
import {
  type ClaimedRow,
  claimDueRows,
  claimRows,
  type SettledRow,
  settleRows,
} from '../domain/shared/due-rows.ts';
import { type Ending, endOf, logEndings, type Settling, textOf } from './endings.ts';
import { type JobHandler, type Outcome, snooze } from './job-handler.ts';
import { createProviderLookup } from './provider-lookup.ts';
import { createSlots, type Group, type RowEnd, type Share, type Slots } from './slots.ts';

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
   * a slot. `mayHaveMore`: the groups may have more due rows than the job names, which are claimed
   * too. Throws while the process stops.
   */
  run(job: readonly GroupedRows[], mayHaveMore?: boolean): Promise<Ending[]>;
  /** True: nothing is in flight, and nothing waits for a slot. */
  isIdle(): boolean;
  /** Begins nothing new; resolves when what is in flight has ended. */
  close(): Promise<void>;
}

interface ClaimedGroupRow {
  group: Group;
  row: ClaimedRow;
}

/**
 * Rows that several jobs name at one moment are claimed, and settled, in one statement; so are the
 * next rows of groups whose slots come free at one moment.
 */
export function createJobLoop(
  context: Context,
  handler: JobHandler,
  timeoutMs = jobTimeoutMs(handler.queue),
): JobLoop {
  const { queue, select } = handler;
  const { db, log, clock } = context;
  const slots = createSlots(queues[queue]);
  const providers = createProviderLookup(db, queue);
  const settles = createBatcher(async (settled: readonly SettledRow[]) => {
    await retryBriefly(() => settleRows(db, queue, settled));
    return settled.map(() => undefined);
  });
  const settling: Settling = { context, queue, settles, timeoutMs };
  const working = new Set<Promise<unknown>>();
  let isStopped = false;
  let isPulling = false;

  /** Begins work on claimed rows that have a slot each. */
  const begin = (claimed: readonly ClaimedGroupRow[]): Promise<Ending>[] => {
    const outcomes = handle(claimed);
    return claimed.map(({ group, row }, n) => {
      const ending = endOf(settling, { row, group: group.id, handled: outcomes[n]! });
      const freed = ending.then(({ outcome }) => free(group, rowEnds[outcome]));
      working.add(freed);
      void freed.then(() => working.delete(freed));
      return ending;
    });
  };
  /** Snoozes rows of a failing group over its limit: the claim shows that it fails. */
  const handle = (claimed: readonly ClaimedGroupRow[]): Promise<Outcome>[] => {
    const snoozed = rowsOverLimit(slots, claimed);
    const kept = claimed.filter((one) => !snoozed.has(one));
    const rows = kept.map(({ row }) => row);
    const handled = rows.length > 0 ? handler.handle(context, rows) : [];
    const outcomes = new Map(kept.map((one, n) => [one, handled[n]!]));
    return claimed.map((one) => outcomes.get(one) ?? Promise.resolve(snooze(clock(), OVER_LIMIT)));
  };
  const free = (group: Group, end: RowEnd) => {
    slots.release(group, end);
    pull();
  };

  const claims = createBatcher(async (due: readonly (DueRow & { of: Group })[]) => {
    const claimed = await retryBriefly(() => claimRows(db, queue, due, clock(), select));
    const rows = claimed.flatMap((row, n) => (row ? [{ group: due[n]!.of, row }] : []));
    const endings = begin(rows);
    let begun = 0;
    // In an object, because whoever waits for the claim does not wait for the ending.
    return claimed.map((row) => row && { ending: endings[begun++]! });
  });
  const runRow = async (of: Group, due: DueRow): Promise<Ending | undefined> => {
    try {
      const claimed = await claims.load({ ...due, of });
      if (claimed) return claimed.ending;
      free(of, 'unknown');
      return undefined;
    } catch (error) {
      free(of, 'unknown');
      log.error('job not claimed', { queue, row: due.id, error: textOf(error) });
      return { outcome: 'failed', error, row: due.id, group: of.id, fields: {}, durationMs: 0 };
    }
  };

  /** Claims the next due rows of groups with a backlog, as long as they have slots. */
  const pull = () => {
    if (isPulling || isStopped) return;
    isPulling = true;
    const pulling = pullAll().finally(() => working.delete(pulling));
    working.add(pulling);
  };
  const pullAll = async () => {
    for (;;) {
      await nextTurn(); // slots that come free in this turn are taken together
      const shares = isStopped ? [] : slots.takeForBacklog();
      isPulling = shares.length > 0;
      if (!isPulling) return;
      await pullShares(shares);
    }
  };
  const pullShares = async (shares: readonly Share[]) => {
    const wanted = shares.map(({ group, count }) => ({ group: group.id, count }));
    const rows = await retryBriefly(() => claimDueRows(db, queue, wanted, clock(), select)).catch(
      (error) => void log.error('due rows not claimed', { queue, error: textOf(error) }),
    );
    const column = queues[queue].group as keyof ClaimedRow;
    const byGroup = Map.groupBy(rows ?? [], (row) => row[column] as unknown as string);
    const claimed: ClaimedGroupRow[] = [];
    for (const { group, count } of shares) {
      const got = byGroup.get(group.id) ?? [];
      claimed.push(...got.map((row) => ({ group, row })));
      for (let unused = got.length; unused < count; unused++) slots.release(group, 'unknown');
      if (!rows || got.length === count) slots.addBacklog(group);
    }
    for (const endings of Map.groupBy(
      zip(claimed, begin(claimed)),
      ([{ group }]) => group,
    ).values())
      void Promise.all(endings.map(([, ending]) => ending)).then((ended) =>
        logEndings(log, queue, ended),
      );
  };

  return {
    async run(job, mayHaveMore = false) {
      if (isStopped) throw new Error('The process is stopping and begins nothing new.');
      const known = await providers.find(job.map(({ group }) => group));
      const running = job.flatMap(({ group: id, rows }) => {
        const group = { id, provider: known.get(id) };
        const count = slots.take(group, rows.length);
        if (count < rows.length || mayHaveMore) slots.addBacklog(group);
        return rows.slice(0, count).map((row) => runRow(group, row));
      });
      pull();
      const endings = (await Promise.all(running)).filter((one) => one !== undefined);
      logEndings(log, queue, endings);
      return endings;
    },
    isIdle: () => slots.isIdle() && working.size === 0,
    async close() {
      isStopped = true;
      while (working.size > 0) await Promise.all(working);
    },
  };
}

const OVER_LIMIT = 'its endpoint fails and has as many requests in flight as it may';

/** The last rows of groups that are recorded as failing and hold more slots than they may. */
function rowsOverLimit(slots: Slots, claimed: readonly ClaimedGroupRow[]): Set<ClaimedGroupRow> {
  const found = new Set<ClaimedGroupRow>();
  const byGroup = Map.groupBy(claimed, ({ group }) => group.id);
  for (const rows of byGroup.values()) {
    let freed = 0;
    for (const one of rows.toReversed()) {
      if (!one.row.failing_since || !slots.isOverLimit(one.group, freed)) break;
      found.add(one);
      freed += 1;
    }
  }
  return found;
}

/** What an outcome shows of its group. */
const rowEnds: Record<Ending['outcome'], RowEnd> = {
  completed: 'succeeded',
  retry: 'failed',
  discard: 'failed',
  failed: 'failed',
  snooze: 'unknown',
};

const zip = <One, Other>(ones: readonly One[], others: readonly Other[]): [One, Other][] =>
  ones.map((one, n) => [one, others[n]!]);
