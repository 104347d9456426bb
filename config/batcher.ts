import { setTimeout as pause } from 'node:timers/promises';
import DataLoader from 'dataloader';

const MAX_BATCH = 500;

/** For what no person waits for: at a hundred charges a second it more than halves statements. */
export const GATHER_MS = 25;

export interface Batcher<Item, Result> {
  /** The item's own result, or the error that its whole batch ended with. */
  load(item: Item): Promise<Result>;
}

export type BatcherOptions = { maxBatchSize?: number; maxWaitMs?: number; gatherMs?: number };

/**
 * Runs one batch at a time, of all items that came meanwhile; alone, an item waits for nobody.
 * `run` returns one result for each item, in their order.
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result[]>,
  { maxBatchSize = MAX_BATCH, maxWaitMs, gatherMs = 0 }: BatcherOptions = {},
): Batcher<Item, Result> {
  let running: Promise<unknown> = Promise.resolve();
  let startedMs = Number.NEGATIVE_INFINITY;
  let isBusy = false;
  const turn = async () => {
    await (maxWaitMs === undefined ? running : Promise.race([running, passing(maxWaitMs)]));
    const leftMs = startedMs + gatherMs - performance.now();
    if (isBusy && leftMs > 0) await pause(leftMs); // which keeps the process: items wait
  };
  return new DataLoader<Item, Result>(
    (items) => {
      isBusy = performance.now() - startedMs <= 2 * gatherMs;
      startedMs = performance.now();
      const result = run(items);
      running = result.catch(() => {});
      return result;
    },
    {
      cache: false,
      maxBatchSize,
      batchScheduleFn: (send) => void turn().then(() => setImmediate(send)),
    },
  );
}

const passing = (ms: number) => pause(ms, undefined, { ref: false });
