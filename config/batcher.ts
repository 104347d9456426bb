import { setTimeout as pause } from 'node:timers/promises';
import DataLoader from 'dataloader';

const MAX_BATCH = 500;

/** Joins many calls into one statement. */
export interface Batcher<Item, Result> {
  /** The item's own result, or the error that its whole batch ended with. */
  load(item: Item): Promise<Result>;
}

/**
 * Collects items while `run` works on the batch before and gives them to the next run together.
 * Alone, an item waits for nobody. `run` returns one result for each item, in their order. With
 * `maxWaitMs`, a batch that takes longer delays the next one no more.
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result[]>,
  maxBatchSize = MAX_BATCH,
  maxWaitMs?: number,
): Batcher<Item, Result> {
  let running: Promise<unknown> = Promise.resolve();
  const turn = () =>
    maxWaitMs === undefined
      ? running
      : Promise.race([running, pause(maxWaitMs, undefined, { ref: false })]);
  return new DataLoader<Item, Result>(
    (items) => {
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
