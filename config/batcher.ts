import DataLoader from 'dataloader';

/** Items in one run, at the most. */
const MOST_AT_ONCE = 500;

/** Many callers, one statement: an item's result, or the error that its whole run ended with. */
export interface InTurns<Item, Result> {
  load(item: Item): Promise<Result>;
}

/**
 * Collects what is asked for while `run` is at work, and gives it to the next run together. `run` returns one result for each item, in
 * their order.
 */
export function inTurns<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result[]>,
): InTurns<Item, Result> {
  let running: Promise<unknown> = Promise.resolve();
  return new DataLoader<Item, Result>(
    (items) => {
      const result = run(items);
      running = result.catch(() => {});
      return result;
    },
    {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: (send) => void running.then(() => setImmediate(send)),
    },
  );
}
