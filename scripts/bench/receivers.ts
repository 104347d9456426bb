import type { BenchRun } from './bench.ts';
import { openClient } from './load.ts';
import { startServer } from './processes.ts';

/** An event as a merchant received it; one that came twice counts once. */
export type Arrival = { endpoint: number; reference: string; atMs: number; sinceEventMs: number };

/** A process that receives webhooks for merchants, each with a URL. */
export type Receivers = Awaited<ReturnType<typeof startReceivers>>;

export async function startReceivers(run: BenchRun, dir: string, endpoints: number) {
  const env = { NODE_ENV: 'production', ENDPOINTS: String(endpoints) };
  const main = 'scripts/bench/receiver.ts';
  const server = await startServer(run, { name: 'receiver', main, env, dir, readyPath: '/' });
  const client = run.scope.use(openClient(server.url));
  const call = async (method: 'GET' | 'POST', path: string) =>
    JSON.parse(await client.ask({ method, path, headers: {} }));
  const ports: number[] = await call('GET', '/');
  return {
    ...server,
    urls: ports.map((port) => `http://127.0.0.1:${port}/webhooks/payments`),
    take: (): Promise<Arrival[]> => call('GET', '/arrivals'),
    /** Whether the first endpoint takes requests and never answers. */
    setHanging: (hangs: boolean) => call('POST', hangs ? '/hang' : '/answer'),
  };
}
