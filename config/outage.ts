import type { Logger } from './logger.ts';

/** Whether a store can be reached, as its callers report. */
export interface Outage {
  /**
   * True when the store may be called: always while it answers; during an outage, one call a
   * second.
   */
  mayCall(): boolean;
  /** True from the first failed or late call to the next one that is answered in time. */
  isAway(): boolean;
  /** A call failed. */
  begin(error: Error): void;
  /** A call takes longer than its caller waits: the store counts as away until one is in time. */
  beginLate(): void;
  end(): void;
}

const CALL_AGAIN_MS = 1_000;

/**
 * Tracks the outages of a store that callers do not wait for. Logs the beginning and the end of
 * each, once: as a warning where a call failed, because a store that answers late is only busy.
 */
export function trackOutage(log: Logger, store: string, meanwhile: string): Outage {
  let callAgainMs: number | undefined;
  let isLogged = false;
  return {
    mayCall() {
      const nowMs = performance.now();
      if (callAgainMs !== undefined && nowMs < callAgainMs) return false;
      if (callAgainMs !== undefined) callAgainMs = nowMs + CALL_AGAIN_MS;
      return true;
    },
    isAway: () => callAgainMs !== undefined,
    begin({ message }) {
      if (!isLogged) log.warn('store not reachable', { store, meanwhile, error: message });
      isLogged = true;
      callAgainMs = performance.now() + CALL_AGAIN_MS;
    },
    beginLate() {
      if (callAgainMs === undefined) log.info('store answers late', { store, meanwhile });
      callAgainMs = performance.now() + CALL_AGAIN_MS;
    },
    end() {
      if (callAgainMs !== undefined) log.info('store reachable again', { store });
      isLogged = false;
      callAgainMs = undefined;
    },
  };
}
