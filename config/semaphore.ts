import { Semaphore } from 'async-mutex';

/**
 * A bound on what is in flight in one process: first come, first served. Unlike async-mutex's own
 * it can be closed.
 */
export interface ClosableSemaphore {
  /**
   * Resolves when `count` slots are free, and takes them. `count` must not exceed the number of
   * slots.
   */
  acquire(count: number): Promise<void>;
  /** Frees one slot. */
  release(): void;
  /** Rejects whoever waits for a slot, now or later. */
  close(): void;
}

export function createSemaphore(slots: number): ClosableSemaphore {
  const closed = new Error('The process is stopping and begins nothing new.');
  const semaphore = new Semaphore(slots, closed);
  let isClosed = false;
  return {
    async acquire(count) {
      if (isClosed) throw closed;
      await semaphore.acquire(count);
    },
    release: () => semaphore.release(),
    close() {
      isClosed = true;
      semaphore.cancel();
    },
  };
}
