import type { Logger } from './logger.ts';

export interface Outage {
  /** Always while the store answers; during an outage, one call a second. */
  mayCall(): boolean;
  /** True from the first failed or late call to the next one that is answered in time. */
  isAway(): boolean;
  begin(error: Error): void;
  /** The store counts as away until a call is in time. */
  beginLate(): void;
  end(): void;
}

const CALL_AGAIN_MS = 1_000;

/** Logs the beginning and end of each outage once: as a warning where a call failed. */
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
