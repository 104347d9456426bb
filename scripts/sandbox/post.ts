import type { Dispatcher } from 'undici';

const TIMEOUT_MS = 5_000;
const ANSWER_LIMIT_BYTES = 64 * 1024;

/**
 * Posts a body. Returns the status of an answer that came in time, or why there is none. One timer
 * is all it costs beside the request: an abort signal for each took as long as sending it.
 */
export function post(
  dispatcher: Dispatcher,
  url: string,
  headers: Record<string, string>,
  body: string,
  timeoutMs = TIMEOUT_MS,
): Promise<number | string> {
  const { origin, pathname, search } = new URL(url);
  const options = { origin, path: pathname + search, method: 'POST', headers, body } as const;
  return new Promise((resolve) => {
    const answer = answerOf(resolve, timeoutMs);
    try {
      dispatcher.dispatch(options, answer);
    } catch (error) {
      answer.onResponseError(undefined, error as Error);
    }
  });
}

/** Calls `done` once. What comes too late, or is too long, is broken off. */
function answerOf(done: (outcome: number | string) => void, timeoutMs: number) {
  let controller: Dispatcher.DispatchController | undefined;
  let status = 0;
  let bytes = 0;
  let isOver = false;
  const end = (outcome: number | string) => {
    isOver = true;
    clearTimeout(timer);
    done(outcome);
  };
  const breakOff = (outcome: number | string) => {
    end(outcome);
    controller?.abort(new Error(String(outcome)));
  };
  const timer = setTimeout(breakOff, timeoutMs, 'no answer in time');
  return {
    onRequestStart(started: Dispatcher.DispatchController) {
      controller = started;
      if (isOver) started.abort(new Error('too late'));
    },
    onResponseStart(_controller: unknown, statusCode: number) {
      status = statusCode;
    },
    onResponseData(_controller: unknown, part: Buffer) {
      bytes += part.length;
      if (bytes > ANSWER_LIMIT_BYTES) breakOff(status);
    },
    onResponseEnd: () => end(status),
    onResponseError: (_controller: unknown, error: Error) => end(error.message),
  };
}
