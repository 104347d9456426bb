import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { freePort } from '../local/free-port.ts';
import { removePostgres, startPostgres } from '../local/postgres.ts';
import { type Child, type ChildOptions, startChild, untilReady } from './child.ts';
import { postgresPid } from './cpu.ts';

/** The provider sandbox in a process of its own, with a PostgreSQL of its own. */
export interface BenchSandbox extends AsyncDisposable {
  url: string;
  pid: number;
  postgresPid: number;
  /** A session in its database, for what a bench asks. */
  client: Client;
  tail: Child['tail'];
}

const DATABASE = 'sandbox';

/** Nothing of it is synced to disk: a provider's disk is another one. */
export async function startBenchSandbox(dir: string): Promise<BenchSandbox> {
  await using starting = new AsyncDisposableStack();
  const postgresDir = join(dir, 'sandbox');
  await mkdir(postgresDir);
  starting.defer(() => removePostgres(postgresDir));
  const postgres = starting.use(
    await startPostgres({ dir: postgresDir, durable: false, hasSocket: true }),
  );
  await postgres.createDatabase(DATABASE);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = starting.use(await startChild(sandboxOn(port, dir, postgres.socketUrl(DATABASE))));
  await untilReady(child, () => fetch(`${url}/_control/stats`));
  const client = new Client({ connectionString: postgres.socketUrl(DATABASE) });
  await client.connect();
  starting.defer(() => client.end());
  const db = {
    query: async <Row>(text: string) => (await client.query(text)).rows as Row[],
  };
  const serverPid = await postgresPid({ db });
  const running = starting.move();
  return {
    url,
    pid: child.pid,
    postgresPid: serverPid,
    client,
    tail: child.tail,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The process of a sandbox with its state in this database. */
export function sandboxOn(port: number, dir: string, databaseUrl: string): ChildOptions {
  const main = fileURLToPath(new URL('../sandbox/main.ts', import.meta.url));
  return {
    name: 'sandbox',
    command: process.execPath,
    args: [main, '--port', String(port)],
    env: { NODE_ENV: 'production', DATABASE_URL: databaseUrl },
    logFile: join(dir, 'sandbox.log'),
  };
}
