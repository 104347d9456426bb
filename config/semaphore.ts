import { Semaphore } from 'async-mutex';

/** Places for so many at once, in one process: first come, first served. */
export interface Places {
  /** Resolves when there are so many free, and takes them. More than there are in all are never free. */
  take(count: number): Promise<void>;
  giveBack(): void;
  /** Whoever waits for a place, now or later, is told that there will be none. */
  close(): void;
}

export function createPlaces(most: number): Places {
  const closed = new Error('The process is stopping: what waits is left to others.');
  const semaphore = new Semaphore(most, closed);
  let isClosed = false;
  return {
    async take(count) {
      if (isClosed) throw closed;
      await semaphore.acquire(count);
    },
    giveBack: () => semaphore.release(),
    close() {
      isClosed = true;
      semaphore.cancel();
    },
  };
}
