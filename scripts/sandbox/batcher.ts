import { setTimeout as pause } from 'node:timers/promises';
import DataLoader from 'dataloader';

/** Statements wait for locks, which must not hold up all calls behind them. */
const MAX_WAIT_MS = 100;
const MAX_BATCH = 100;

/**
 * Joins calls of one kind into one statement. Alone, a call waits for nobody; what comes sooner
 * than `spacingMs` after a batch began shares the next one. `run` returns one result for each item,
 * in their order; a batch that fails is run again one by one, so that one item at fault fails
 * alone.
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result[]>,
  spacingMs: number,
): (item: Item) => Promise<Result> {
  let turn: Promise<unknown> = Promise.resolve();
  let running: Promise<unknown> = turn;
  const loader = new DataLoader<Item, Result>(
    (items) => {
      const results = runOrSplit(run, items);
      running = results;
      return results;
    },
    {
      cache: false,
      maxBatchSize: MAX_BATCH,
      batchScheduleFn(send) {
        turn = turn.then(() => sendAtOnce(send)).then(() => nextTurn(running, spacingMs));
      },
    },
  );
  return (item) => loader.load(item);
}

/** Calls that arrived in the same turn of the event loop go together. */
function sendAtOnce(send: () => void): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      send();
      resolve();
    });
  });
}

function nextTurn(running: Promise<unknown>, spacingMs: number): Promise<unknown> {
  const wait = (ms: number) => pause(ms, undefined, { ref: false });
  const ended = Promise.race([running, wait(MAX_WAIT_MS)]);
  return Promise.all([ended, wait(spacingMs)]);
}

async function runOrSplit<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result[]>,
  items: readonly Item[],
): Promise<(Result | Error)[]> {
  try {
    return await run(items);
  } catch (error) {
    if (items.length === 1) return [error as Error];
    return Promise.all(
      items.map((item) =>
        run([item]).then(
          ([result]) => result!,
          (reason: Error) => reason,
        ),
      ),
    );
  }
}
