import DataLoader from 'dataloader';
import type { SandboxContext } from './context.ts';
import { markDelivered } from './notifications.ts';

/** Deliveries of so long are recorded by one statement. A crash meanwhile sends them again. */
const collectMs = 100;

export interface Deliveries {
  /** Resolves when the delivery of this notification is recorded. */
  record(id: number): Promise<void>;
  /** Until it is disposed, deliveries are recorded as they come. */
  waitFor(): Disposable;
}

/** Records that receivers accepted notifications, many at once. */
export function createDeliveries({ sql, now }: Pick<SandboxContext, 'sql' | 'now'>): Deliveries {
  let waiters = 0;
  let timer: NodeJS.Timeout | undefined;
  let sendCollected: (() => void) | undefined;

  function flush(): void {
    clearTimeout(timer);
    sendCollected?.();
    sendCollected = undefined;
  }

  const loader = new DataLoader<number, void>(
    async (ids) => {
      await markDelivered(sql, ids, now());
      return ids.map(() => undefined);
    },
    {
      cache: false,
      batchScheduleFn(send) {
        sendCollected = send;
        if (waiters > 0) setImmediate(flush);
        else timer = setTimeout(flush, collectMs);
      },
    },
  );
  return {
    record: (id) => loader.load(id),
    waitFor() {
      waiters += 1;
      flush();
      return {
        [Symbol.dispose]() {
          waiters -= 1;
        },
      };
    },
  };
}
