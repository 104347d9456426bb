import autocannon, { type Result } from 'autocannon';
import { BenchFailure } from './bench.ts';
import type { Server } from './server.ts';

/** One request of a load. */
export interface Request {
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** A server with what it is asked. */
export interface Target {
  server: Server;
  method: 'GET' | 'POST';
  next: () => Request;
}

export interface Round {
  answers: number;
  rps: number;
  durationsMs: number[];
  /** How much of a core the load generator used: near 1, it is the generator that was measured. */
  generatorShare: number;
}

/** Requests in flight at any time, each on a connection of its own. */
export const CONNECTIONS = 32;

/** Asks as fast as answers come, for some seconds. Every answer must be a success. */
export async function load(
  { server, method, next }: Target,
  seconds: number,
  stopped: AbortSignal,
): Promise<Round> {
  stopped.throwIfAborted();
  const setupRequest = (request: object) => ({ ...request, ...next() });
  const cpu = process.cpuUsage();
  const run = autocannon({
    url: server.url,
    connections: CONNECTIONS,
    duration: seconds,
    bailout: 1,
    requests: [{ method, setupRequest }],
  });
  const durationsMs: number[] = [];
  run.on('response', (_client, _status, _bytes, durationMs) => void durationsMs.push(durationMs));
  const stop = () => run.stop();
  stopped.addEventListener('abort', stop);
  const result = await run;
  stopped.removeEventListener('abort', stop);
  stopped.throwIfAborted();
  const { user, system } = process.cpuUsage(cpu);
  await expectSuccess(server, result);
  const answers = result['2xx'];
  return {
    answers,
    rps: answers / result.duration,
    durationsMs,
    generatorShare: (user + system) / 1e6 / result.duration,
  };
}

async function expectSuccess(
  server: Server,
  { '2xx': answers, non2xx, errors, statusCodeStats }: Result,
): Promise<void> {
  if (answers > 0 && non2xx === 0 && errors === 0) return;
  const statuses = Object.entries(statusCodeStats).map(
    ([status, { count }]) => `${count} × ${status}`,
  );
  const seen = [...statuses, `${errors} broken connections`].join(', ');
  throw new BenchFailure(
    `Not every answer of the ${server.name} was a success (${seen}). It printed last:\n${await server.tail()}`,
  );
}

/** Asks once, outside any measurement, and says what came when it is not a success. */
export async function ask({ server, method, next }: Target): Promise<void> {
  const { path, ...request } = next();
  const response = await fetch(`${server.url}${path}`, { method, ...request });
  const text = await response.text();
  if (!response.ok)
    throw new BenchFailure(`The ${server.name} answered ${response.status}: ${text.slice(0, 500)}`);
}
