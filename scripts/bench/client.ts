import { type Dispatcher, Pool } from 'undici';
import { BenchFailure } from './bench.ts';

/** One request of a load. */
export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Asks one server and takes as little CPU for it as it can. */
export interface Client extends AsyncDisposable {
  /** Resolves with the text of an answer 2xx; throws with any other. */
  ask(request: Request): Promise<string>;
}

/** More than are ever under way: nobody waits for a connection. */
const CONNECTIONS = 256;

export function openClient(origin: string): Client {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => pool.dispatch(request, answerOf(request, resolve, reject))),
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

function answerOf(
  { method, path }: Request,
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
      else reject(new BenchFailure(`${method} ${path} was answered ${status}: ${text}`));
    },
    onResponseError: (_controller, error) => reject(error),
  };
}
