import { setImmediate as nextTurn } from 'node:timers/promises';
import { queues } from '../domain/jobs.ts';
import { type ClaimedRow, claimDueRows } from '../domain/shared/due-rows.ts';
import { begin, type ClaimedGroupRow, type RowWork } from './begin-rows.ts';
import { logEndings, textOf } from './endings.ts';
import { retryBriefly } from './retry-briefly.ts';
import type { Share } from './slots.ts';

/**
 * Returns a function that claims the next due rows of groups with a backlog, one statement
 * after the other as long as they have slots. A group that brings fewer rows than asked for has
 * no backlog any more.
 */
export function createPull(work: RowWork): () => void {
  let isPulling = false;
  const pullAll = async () => {
    for (;;) {
      await nextTurn(); // slots that come free in this turn are taken together
      const shares = work.isStopped ? [] : work.slots.takeForBacklog();
      isPulling = shares.length > 0;
      if (!isPulling) return;
      await pullShares(work, shares);
    }
  };
  return () => {
    if (isPulling || work.isStopped) return;
    isPulling = true;
    const pulling = pullAll().finally(() => work.underWay.delete(pulling));
    work.underWay.add(pulling);
  };
}

async function pullShares(work: RowWork, shares: readonly Share[]): Promise<void> {
  const { slots } = work;
  const byGroup = await claimShares(work, shares);
  const claimed: ClaimedGroupRow[] = [];
  for (const { group, count } of shares) {
    const rows = byGroup?.get(group.id) ?? [];
    claimed.push(...rows.map((row) => ({ group, row })));
    for (let unused = rows.length; unused < count; unused++) slots.release(group, 'unknown');
    if (!byGroup || rows.length === count) slots.addBacklog(group);
  }
  const { context, handler } = work;
  const endings = Map.groupBy(begin(work, claimed).entries(), ([n]) => claimed[n]!.group);
  for (const ofGroup of endings.values())
    void Promise.all(ofGroup.map(([, ending]) => ending)).then((ended) =>
      logEndings(context.log, handler.queue, ended),
    );
}

/** Claims rows and returns them by group; undefined where the database does not answer. */
async function claimShares(
  { context: { db, clock, log }, handler: { queue, select } }: RowWork,
  shares: readonly Share[],
): Promise<Map<string, ClaimedRow[]> | undefined> {
  const wanted = shares.map(({ group, count }) => ({ group: group.id, count }));
  const column = queues[queue].group;
  try {
    const rows = await retryBriefly(() => claimDueRows(db, queue, wanted, clock(), select));
    return Map.groupBy(rows, (row) => (row as unknown as Record<typeof column, string>)[column]);
  } catch (error) {
    log.error('due rows not claimed', { queue, error: textOf(error) });
    return undefined;
  }
}
