import { LRUCache } from 'lru-cache';
import type { DueRow } from '../../domain/jobs.ts';

/** Rows that failed in this process and wait for their next try, by group. */
export interface WaitingRows {
  /** The row's job began then (`performance.now()`). */
  add(group: string, row: DueRow, startedMs: number): void;
  forget(id: string): void;
  /** Wakes the rows of a group, and those whose jobs are under way, if they fail. */
  wake(group: string): void;
}

/** The others are tried at the time on record. */
const MAX_ROWS = 20_000;
const MAX_GROUPS = 1_000;
/**
 * A row is woken no more often: one that fails by itself would be tried with every recovery, and be
 * what opens the breaker again.
 */
const WOKEN_EVERY_MS = 60_000;

/** `wakeRows` is given rows that are forgotten, those that wait longest first. */
export function createWaitingRows(
  wakeRows: (group: string, rows: readonly DueRow[]) => void,
  nowMs = () => performance.now(),
): WaitingRows {
  const groups = new Map<string, Map<string, DueRow>>();
  const groupOf = new LRUCache<string, string>({
    max: MAX_ROWS,
    dispose(group, id) {
      const rows = groups.get(group);
      rows?.delete(id);
      if (rows?.size === 0) groups.delete(group);
    },
  });
  const groupWokenMs = new LRUCache<string, number>({ max: MAX_GROUPS });
  const rowWokenMs = new LRUCache<string, number>({ max: MAX_ROWS });
  const never = Number.NEGATIVE_INFINITY;
  const wake = (group: string, rows: Iterable<DueRow>) => {
    const now = nowMs();
    const woken = [...rows].filter(
      ({ id }) => now - (rowWokenMs.get(id) ?? never) >= WOKEN_EVERY_MS,
    );
    for (const { id } of woken) {
      rowWokenMs.set(id, now);
      groupOf.delete(id);
    }
    if (woken.length > 0) wakeRows(group, woken);
  };
  return {
    add(group, row, startedMs) {
      groupOf.set(row.id, group);
      const rows = groups.get(group) ?? new Map<string, DueRow>();
      groups.set(group, rows.set(row.id, row));
      if (startedMs <= (groupWokenMs.get(group) ?? never)) wake(group, [row]);
    },
    forget: (id) => void groupOf.delete(id),
    wake(group) {
      groupWokenMs.set(group, nowMs());
      wake(group, groups.get(group)?.values() ?? []);
    },
  };
}
