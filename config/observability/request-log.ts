import { insertRequests, type LoggedRequest } from '../../domain/accounts/request-log/store.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import type { Logger } from '../logger.ts';

const FLUSH_EVERY_MS = 1_000;
const BATCH = 500;
/** More are dropped: the log must not cost memory or speed. */
const MAX_WAITING = 5_000;

export interface RequestLog extends AsyncDisposable {
  /** Never throws and never waits. */
  add(request: LoggedRequest): void;
  flush(): Promise<void>;
}

/** A batch that cannot be written is dropped and said once: the log is a convenience. */
export function createRequestLog(sql: Sql, log: Logger): RequestLog {
  let waiting: LoggedRequest[] = [];
  let dropped = 0;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const write = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      await insertRequests(sql, batch).catch((error: Error) => {
        dropped += batch.length;
        log.warn('request log not written', { dropped, error: error.message });
      });
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };
  return {
    add(request) {
      if (waiting.length >= MAX_WAITING) {
        dropped += 1;
        return;
      }
      waiting.push(request);
      timer ??= setTimeout(flush, FLUSH_EVERY_MS).unref();
    },
    flush,
    async [Symbol.asyncDispose]() {
      await flush();
    },
  };
}
