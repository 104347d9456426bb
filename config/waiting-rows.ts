import { LRUCache } from 'lru-cache';
import type { DueRow } from '../domain/jobs.ts';

/** Rows that failed in this process and wait for their next try, by group. */
export interface WaitingRows {
  /** The row's job began then (`performance.now()`). */
  add(group: string, row: DueRow, startedMs: number): void;
  forget(id: string): void;
  /**
   * Wakes the row that has waited longest; or all, and those whose jobs are under way, too, if they
   * fail.
   */
  wake(group: string, which: 'first' | 'all'): void;
}

/** The others are tried at the time on record. */
const MAX_ROWS = 20_000;
const MAX_WOKEN_GROUPS = 1_000;

/** `wakeRows` is given rows that are forgotten. */
export function createWaitingRows(
  wakeRows: (group: string, rows: readonly DueRow[]) => void,
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
  const wokenMs = new LRUCache<string, number>({ max: MAX_WOKEN_GROUPS });
  return {
    add(group, row, startedMs) {
      if (startedMs <= (wokenMs.get(group) ?? Number.NEGATIVE_INFINITY))
        return wakeRows(group, [row]);
      groupOf.set(row.id, group);
      const rows = groups.get(group) ?? new Map<string, DueRow>();
      groups.set(group, rows.set(row.id, row));
    },
    forget: (id) => void groupOf.delete(id),
    wake(group, which) {
      if (which === 'all') wokenMs.set(group, performance.now());
      const waiting = [...(groups.get(group)?.values() ?? [])];
      const rows = which === 'all' ? waiting : waiting.slice(0, 1);
      for (const { id } of rows) groupOf.delete(id);
      if (rows.length > 0) wakeRows(group, rows);
    },
  };
}
