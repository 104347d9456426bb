import { type Dispatcher, Pool } from 'undici';
import { BenchFailure, type BenchRun } from './bench.ts';
import type { Server } from './processes.ts';
import { keepRate } from './rate.ts';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export type Client = ReturnType<typeof openClient>;

/** More than are ever in flight: nobody waits for a connection. */
const POOL_SIZE = 256;

/** Asks one server and takes as little CPU for it as it can. */
export function openClient(origin: string) {
  const pool = new Pool(origin, { connections: POOL_SIZE });
  return {
    /** Resolves with the text of an answer 2xx; throws with any other. */
    ask: (request: Request) =>
      new Promise<string>((resolve, reject) =>
        pool.dispatch(request, answerOf(request, resolve, reject)),
      ),
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

export type Target = { server: Server; next: () => Request };

export interface Round {
  rps: number;
  durationsMs: number[];
  /** Share of a core that the generator used: near 1, it is the generator that was measured. */
  generatorShare: number;
}

/** Requests in flight at any time, each on a connection of its own. */
export const CONNECTIONS = 32;

export async function load({ server, next }: Target, seconds: number, { stopped }: BenchRun) {
  await using client = openClient(server.url);
  const durationsMs: number[] = [];
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const lane = async () => {
    for (let at = startMs; at < startMs + seconds * 1_000; ) {
      stopped.throwIfAborted();
      await client.ask(next());
      const answeredMs = performance.now();
      durationsMs.push(answeredMs - at);
      at = answeredMs;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  const took = (performance.now() - startMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const generatorShare = (user + system) / 1e6 / took;
  return { rps: durationsMs.length / took, durationsMs, generatorShare };
}

/** Asks at a steady rate; returns how long each answer took, in ms since its request was due. */
export async function askSteadily(
  { server, next }: Target,
  { perSecond, seconds }: { perSecond: number; seconds: number },
  { stopped }: BenchRun,
): Promise<number[]> {
  await using client = openClient(server.url);
  const rate = { perSecond, count: perSecond * seconds, stopped };
  const { begun } = await keepRate(rate, async (_number, dueMs) => {
    await client.ask(next());
    return performance.now() - dueMs;
  });
  return await Promise.all(begun);
}

/** The body of one answer 2xx, and how long it took. */
export async function timedGet(url: string, headers: Record<string, string>) {
  const begunMs = performance.now();
  const response = await fetch(url, { headers });
  const text = await response.text();
  const ms = performance.now() - begunMs;
  if (response.ok && !response.url.includes('/sign-in')) return { ms, text };
  throw new BenchFailure(`${url} was answered ${response.status}: ${text.slice(0, 500)}`);
}
