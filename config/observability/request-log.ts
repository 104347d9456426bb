import { insertRequests, type LoggedRequest } from '../../domain/accounts/request-log/store.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import type { Logger } from '../logger.ts';

const FLUSH_EVERY_MS = 1_000;
const BATCH = 500;
/** More are dropped: the log must not cost memory or speed. 5 MB, of texts as UTF-16. */
const MAX_WAITING_CHARS = 2_500_000;
/** Of a request without its body and answer. */
const ROW_CHARS = 500;

export interface RequestLog extends AsyncDisposable {
  /** Never throws and never waits. */
  add(request: LoggedRequest): void;
  flush(): Promise<void>;
}

/** A batch that cannot be written is dropped and said once: the log is a convenience. */
export function createRequestLog(sql: Sql, log: Logger): RequestLog {
  let waiting: LoggedRequest[] = [];
  let waitingChars = 0;
  let dropped = 0;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const write = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      waitingChars -= charsOf(batch);
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
      const chars = charsOf([request]);
      if (waitingChars + chars > MAX_WAITING_CHARS) {
        dropped += 1;
        return;
      }
      waiting.push(request);
      waitingChars += chars;
      timer ??= setTimeout(flush, FLUSH_EVERY_MS).unref();
    },
    flush,
    async [Symbol.asyncDispose]() {
      await flush();
    },
  };
}

function charsOf(requests: readonly LoggedRequest[]): number {
  return requests.reduce(
    (sum, { body, answer }) => sum + ROW_CHARS + (body?.length ?? 0) + (answer?.length ?? 0),
    0,
  );
}
