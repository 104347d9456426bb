import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { BenchFailure } from './bench.ts';
import type { Target } from './load.ts';

/** More than are ever in flight where the server keeps up. */
const CONNECTIONS = 128;

/**
 * Asks at a steady rate, whatever the answers do. Returns how long each answer took, in ms since
 * its request was due. Every answer must be a success.
 */
export async function askSteadily(
  { server, method, next }: Target,
  { rate, seconds }: { rate: number; seconds: number },
  stopped: AbortSignal,
): Promise<number[]> {
  await using pool = disposable(new Pool(server.url, { connections: CONNECTIONS }));
  const ask = async (dueMs: number) => {
    const { statusCode, body } = await pool.request({ method, ...next() });
    await body.dump();
    if (statusCode >= 300) throw new BenchFailure(`The ${server.name} answered ${statusCode}.`);
    return performance.now() - dueMs;
  };
  const startMs = performance.now();
  const asked: Promise<number>[] = [];
  while (asked.length < rate * seconds) {
    stopped.throwIfAborted();
    const dueMs = startMs + (asked.length * 1_000) / rate;
    const aheadMs = dueMs - performance.now();
    if (aheadMs > 0) await pause(aheadMs);
    asked.push(ask(dueMs));
  }
  return Promise.all(asked);
}

function disposable(pool: Pool) {
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.close() });
}
