import DataLoader from 'dataloader';

const MAX_BATCH = 500;

/** Joins many calls into one statement. */
export interface Batcher<Item, Result> {
  /** The item's own result, or the error that its whole batch ended with. */
  load(item: Item): Promise<Result>;
}

/**
 * Collects items while `run` works on the batch before and gives them to the next run together.
 * Alone, an item waits for nobody. `run` returns one result for each item, in their order.
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result[]>,
  maxBatchSize = MAX_BATCH,
): Batcher<Item, Result> {
  let running: Promise<unknown> = Promise.resolve();
  return new DataLoader<Item, Result>(
    (items) => {
      const result = run(items);
      running = result.catch(() => {});
      return result;
    },
    {
      cache: false,
      maxBatchSize,
      batchScheduleFn: (send) => void running.then(() => setImmediate(send)),
    },
  );
}
