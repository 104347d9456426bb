import { type Dispatcher, Pool } from 'undici';
import { BenchFailure } from './bench.ts';

/** Posts bodies to one server and takes as little CPU for it as it can. */
export interface Poster extends AsyncDisposable {
  /** Resolves with the text of an answer 2xx. */
  post(path: string, headers: string[], body: string): Promise<string>;
}

/** More than are ever under way: nobody waits for a connection. */
const CONNECTIONS = 256;

export function openPoster(origin: string): Poster {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  return {
    post: (path, headers, body) =>
      new Promise((resolve, reject) => {
        const options = {
          path,
          method: 'POST' as const,
          headers: ['content-type', 'application/json', ...headers],
          body,
        };
        pool.dispatch(options, answerOf(path, resolve, reject));
      }),
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

function answerOf(
  path: string,
  resolve: (text: string) => void,
  reject: (error: Error) => void,
): Dispatcher.DispatchHandler {
  let status = 0;
  let text = '';
  return {
    onRequestStart() {},
    onResponseStart(_controller, statusCode) {
      status = statusCode;
    },
    onResponseData(_controller, part) {
      text += part;
    },
    onResponseEnd() {
      if (status < 300) resolve(text);
      else reject(new BenchFailure(`${path}: ${status} ${text}`));
    },
    onResponseError: (_controller, error) => reject(error),
  };
}
