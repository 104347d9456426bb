import type { Logger } from './logger.ts';

/** Whether a store can be reached, as those who ask it found out. */
export interface Outage {
  /** True when the store may be asked: always while it answers; while it is away, one asker a second. */
  mayAsk(): boolean;
  begin(error: Error): void;
  end(): void;
}

const ASK_AGAIN_MS = 1_000;

/** Watches over a store nobody waits for. An outage is logged once, and its end. */
export function watchOutage(log: Logger, store: string, meanwhile: string): Outage {
  let askAgainMs: number | undefined;
  return {
    mayAsk() {
      const nowMs = performance.now();
      if (askAgainMs !== undefined && nowMs < askAgainMs) return false;
      if (askAgainMs !== undefined) askAgainMs = nowMs + ASK_AGAIN_MS;
      return true;
    },
    begin({ message }) {
      if (askAgainMs === undefined) log.warn(`${store} is away; ${meanwhile}`, { error: message });
      askAgainMs = performance.now() + ASK_AGAIN_MS;
    },
    end() {
      if (askAgainMs !== undefined) log.info(`${store} is back`);
      askAgainMs = undefined;
    },
  };
}
