import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBatcher, GATHER_MS } from '../config/batcher.ts';
import type { Context } from '../config/context.ts';
import { createProviderLookup } from '../config/queues/provider-lookup.ts';
import { jobTimeoutMs, queues } from '../domain/jobs.ts';
import { type ClaimedRow, claimRows } from '../domain/shared/due-rows.ts';
import { type Ending, logEndings, textOf } from './endings.ts';
import type { JobHandler } from './job-handler.ts';
import { retryBriefly } from './retry-briefly.ts';
import { beginRows, type ClaimedGroupRow, createRowWork, track } from './row-work.ts';
import type { Group, Share, Turn } from './slots.ts';

/** The one way to start rows of a queue, however it became known that they are due. */
export interface JobLoop {
  /**
   * Claims due rows of groups as slots come free, oldest first. Resolves to the endings of those
   * claimed at once; the others stay due until their group has a slot. Rejects where the database
   * does not answer, and while the process stops.
   */
  begin(groups: readonly string[], turn?: Turn): Promise<Ending[]>;
  /** Begins groups that a sweep found: others have the first turn. Waits for no claim. */
  beginLater(groups: readonly string[]): Promise<void>;
  /** True: rows of the group wait for a slot here. */
  isWaiting(group: string): boolean;
  room(group: string): number;
  /** Makes failed rows of a group due soon, unless claimed since, in queues that are woken. */
  wake(group: string): void;
  /** True: nothing is in flight, and nothing waits for a slot. */
  isIdle(): boolean;
  close(): Promise<void>;
}

/** Groups of one moment are claimed in one statement; so are those whose slots come free then. */
export function createJobLoop(
  context: Context,
  handler: JobHandler,
  timeoutMs = jobTimeoutMs(handler.queue),
): JobLoop {
  const { queue, select } = handler;
  const { db, clock, log } = context;
  const work = createRowWork(context, handler, timeoutMs);
  const { slots, underWay } = work;
  const providers = createProviderLookup(db, queue);
  const column = queues[queue].group;
  /** Slots that a claim under way has taken, by group: it may find fewer rows. */
  const claiming = new Map<string, number>();
  let isStopped = false;
  let isPulling = false;

  const addBacklog = async (ids: readonly string[], turn: Turn) => {
    if (isStopped) throw new Error('The process is stopping and begins nothing new.');
    const known = await providers.find(ids);
    for (const id of ids) slots.addBacklog({ id, provider: known.get(id) }, turn);
  };
  const countClaiming = ({ id }: Group, count: number) => {
    const sum = (claiming.get(id) ?? 0) + count;
    if (sum > 0) claiming.set(id, sum);
    else claiming.delete(id);
  };
  const claimNext = async (shares: readonly Share[]): Promise<ClaimedRow[]> => {
    const wanted = shares.map(({ group, count }) => ({ group: group.id, count }));
    for (const { group, count } of shares) countClaiming(group, count);
    try {
      return await retryBriefly(() => claimRows(db, queue, wanted, clock(), select));
    } catch (error) {
      for (const { group, count } of shares) slots.release(group, 'unknown', count);
      throw error;
    } finally {
      for (const { group, count } of shares) countClaiming(group, -count);
    }
  };
  const claim = async (shares: readonly Share[]): Promise<Map<string, Promise<Ending>[]>> => {
    const rows = await claimNext(shares);
    const byGroup = Map.groupBy(
      rows,
      (row) => (row as ClaimedRow & Record<string, string>)[column]!,
    );
    const claimed: ClaimedGroupRow[] = [];
    for (const { group, count } of shares) {
      const ofGroup = byGroup.get(group.id) ?? [];
      claimed.push(...ofGroup.map((row) => ({ group, row })));
      slots.release(group, 'unknown', count - ofGroup.length);
      if (ofGroup.length === count) slots.addBacklog(group, 'later');
    }
    const endings = beginRows(work, claimed, pull);
    const begun = Map.groupBy(endings, (_, n) => claimed[n]!.group.id);
    for (const ofGroup of begun.values())
      void Promise.all(ofGroup).then((ended) => logEndings(log, queue, ended));
    return begun;
  };
  const pullAll = async () => {
    for (;;) {
      await nextTurn(); // slots that come free in this turn are taken together
      const shares = isStopped ? [] : slots.takeForBacklog();
      isPulling = shares.length > 0;
      if (!isPulling) return;
      await claim(shares).catch((error) =>
        log.error('due rows not claimed', { queue, error: textOf(error) }),
      );
    }
  };
  const pull = () => {
    if (isPulling || isStopped || !slots.hasBacklog()) return;
    isPulling = true;
    track(underWay, pullAll());
  };
  const claims = createBatcher(
    async (ids: readonly string[]) => {
      const shares = isStopped ? [] : slots.takeForBacklog();
      const begun = shares.length > 0 ? await claim(shares) : new Map<string, Promise<Ending>[]>();
      pull();
      // In an object, because whoever waits for the claim does not wait for the endings.
      return ids.map((id) => ({ begun: begun.get(id) ?? [] }));
    },
    { gatherMs: GATHER_MS },
  );

  return {
    async begin(groups, turn = 'first') {
      await addBacklog(groups, turn);
      const loading = Promise.all(groups.map((id) => claims.load(id)));
      track(
        underWay,
        loading.catch(() => {}),
      );
      const claimed = await loading;
      return Promise.all(claimed.flatMap(({ begun }) => begun));
    },
    async beginLater(groups) {
      await addBacklog(groups, 'later');
      pull();
    },
    isWaiting: slots.isWaiting,
    room: (group) => slots.room({ id: group }) + (claiming.get(group) ?? 0),
    wake: (group) => work.settling.waiting?.wake(group),
    isIdle: () => slots.isIdle() && underWay.size === 0,
    async close() {
      isStopped = true;
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
