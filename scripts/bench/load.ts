import type { BenchRun } from './bench.ts';
import { openClient, type Request } from './client.ts';
import type { Server } from './processes.ts';
import { keepRate } from './rate.ts';

/** A server with what it is asked. */
export interface Target {
  server: Server;
  next: () => Request;
}

/** Answers to requests that were sent as soon as the ones before were answered. */
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
  { server, next }: Target,
  seconds: number,
  { stopped }: BenchRun,
): Promise<Round> {
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
  const answers = durationsMs.length;
  const generatorShare = (user + system) / 1e6 / took;
  return { answers, rps: answers / took, durationsMs, generatorShare };
}

/**
 * Asks at a steady rate, whatever the answers do. Returns how long each answer took, in ms since
 * its request was due. Every answer must be a success.
 */
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
