import { LRUCache } from 'lru-cache';
import type { DueRow } from '../../domain/jobs.ts';

/** Rows that failed in this process and wait for their next try, by group. */
export interface WaitingRows {
  add(group: string, row: DueRow, startedMs: number): void;
  forget(id: string): void;
  wake(group: string): void;
}

const MAX_ROWS = 20_000;
const MAX_GROUPS = 1_000;
/** A row that fails by itself would open the breaker again at every recovery. */
const WOKEN_EVERY_MS = 60_000;

/** A cache with a `max` has the memory of all its rows from the start. */
const atMost = (maxSize: number) => ({ maxSize, sizeCalculation: () => 1 });

/** `wakeRows` is given those that wait longest first; they are forgotten. */
export function createWaitingRows(
  wakeRows: (group: string, rows: readonly DueRow[]) => void,
  nowMs = () => performance.now(),
): WaitingRows {
  const groups = new Map<string, Map<string, DueRow>>();
  const groupOf = new LRUCache<string, string>({
    ...atMost(MAX_ROWS),
    dispose(group, id) {
      const rows = groups.get(group);
      rows?.delete(id);
      if (rows?.size === 0) groups.delete(group);
    },
  });
  const groupWokenMs = new LRUCache<string, number>(atMost(MAX_GROUPS));
  const rowWokenMs = new LRUCache<string, number>(atMost(MAX_ROWS));
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
