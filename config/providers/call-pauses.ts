import { LRUCache } from 'lru-cache';
import type { StoredConnection } from '../../domain/accounts/connection/connection.ts';

type Paused = Pick<StoredConnection, 'id' | 'calls_paused'>;

/** Until when providers take no more calls, as they said with a 429; each counter by itself. */
export interface CallPauses {
  /** Other processes write pauses too. */
  learn(connection: Paused): void;
  waitMs(connectionId: string, counter: string): number | null;
  /** True where the pause is longer than the one that was known. */
  begin(connectionId: string, counter: string, until: Date): boolean;
}

const MAX_PAUSES = 10_000;

export function createCallPauses(clock: () => Date): CallPauses {
  const untilMs = new LRUCache<string, number>({ maxSize: MAX_PAUSES, sizeCalculation: () => 1 });
  const begin: CallPauses['begin'] = (connectionId, counter, until) => {
    const key = `${connectionId} ${counter}`;
    if (until.getTime() <= (untilMs.get(key) ?? 0)) return false;
    untilMs.set(key, until.getTime());
    return true;
  };
  return {
    begin,
    learn({ id, calls_paused: paused }) {
      for (const [counter, until] of Object.entries(paused ?? {}))
        begin(id, counter, new Date(until));
    },
    waitMs(connectionId, counter) {
      const waitMs = (untilMs.get(`${connectionId} ${counter}`) ?? 0) - clock().getTime();
      return waitMs > 0 ? waitMs : null;
    },
  };
}
