import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../local/free-port.ts';
import { removePostgres, startPostgres } from '../local/postgres.ts';
import { BenchFailure, type BenchRun } from './bench.ts';
import { postgresPid } from './cpu.ts';
import {
  type ChildOptions,
  expectOk,
  rootFile,
  type Server,
  startChild,
  untilReady,
} from './processes.ts';

/** The provider sandbox in a process of its own, with a PostgreSQL of its own. */
export interface BenchSandbox extends Server {
  postgresPid: number;
  /** A session in its database, for what a bench asks. */
  client: Client;
  /** How long a provider takes to answer. */
  slowDown(provider: string, latencyMs: number): Promise<void>;
}

const DATABASE = 'sandbox';

/** Nothing of it is synced to disk: a provider's disk is another one. */
export async function startSandbox(
  { scope, programs }: BenchRun,
  dir: string,
): Promise<BenchSandbox> {
  const home = join(dir, 'sandbox');
  await mkdir(home);
  scope.defer(() => removePostgres(home));
  const postgres = scope.use(await startPostgres({ dir: home, durable: false, hasSocket: true }));
  await postgres.createDatabase(DATABASE);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = scope.use(await startChild(sandboxOn(port, dir, postgres.socketUrl(DATABASE))));
  programs.push(child);
  await untilReady(child, () => expectOk(`${url}/_control/stats`));
  const client = new Client({ connectionString: postgres.socketUrl(DATABASE) });
  await client.connect();
  scope.defer(() => client.end());
  const query = async <Row>(text: string) => (await client.query(text)).rows as Row[];
  return {
    ...child,
    url,
    postgresPid: await postgresPid({ db: { query } }),
    client,
    async slowDown(provider, latencyMs) {
      const { ok, status } = await fetch(`${url}/_control/faults`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ provider, latency_ms: latencyMs }),
      });
      if (!ok) throw new BenchFailure(`The sandbox answered ${status}.`);
    },
  };
}

/** The process of a sandbox with its state in this database. */
export function sandboxOn(port: number, dir: string, databaseUrl: string): ChildOptions {
  return {
    name: 'sandbox',
    command: process.execPath,
    args: [rootFile('scripts/sandbox/main.ts'), '--port', String(port)],
    env: { NODE_ENV: 'production', DATABASE_URL: databaseUrl },
    logFile: join(dir, 'sandbox.log'),
  };
}
