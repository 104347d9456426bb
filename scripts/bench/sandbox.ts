import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { callOnce } from '../local/api-call.ts';
import { freePort } from '../local/free-port.ts';
import { removePostgres, startPostgres } from '../local/postgres.ts';
import { BenchFailure, type BenchRun } from './bench.ts';
import { postgresPid } from './cpu.ts';
import { type ChildOptions, expectOk, rootFile, startReady } from './processes.ts';
import { openSession } from './session.ts';

export type BenchSandbox = Awaited<ReturnType<typeof startSandbox>>;

const DATABASE = 'sandbox';

/** The provider sandbox as a process with its own PostgreSQL, which syncs nothing to disk. */
export async function startSandbox(run: BenchRun, dir: string) {
  const { scope } = run;
  const home = join(dir, 'sandbox');
  await mkdir(home);
  scope.defer(() => removePostgres(home));
  const postgres = scope.use(await startPostgres({ dir: home, durable: false, hasSocket: true }));
  await postgres.createDatabase(DATABASE);
  const connectionString = postgres.socketUrl(DATABASE);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const options = sandboxOn(port, dir, connectionString);
  const child = await startReady(run, options, () => expectOk(`${url}/_control/stats`));
  const session = scope.use(await openSession({ connectionString }));
  return { ...child, url, postgresPid: await postgresPid(session), session };
}

export function sandboxOn(port: number, dir: string, databaseUrl: string): ChildOptions {
  return {
    name: 'sandbox',
    command: process.execPath,
    args: [rootFile('scripts/sandbox/main.ts'), '--port', String(port)],
    env: { NODE_ENV: 'production', DATABASE_URL: databaseUrl },
    logFile: join(dir, 'sandbox.log'),
  };
}

/** Lets a provider of the sandbox, or every one, misbehave from now on, or behave (`{}`). */
export async function setFaults(sandboxUrl: string, faults: object): Promise<void> {
  const { status, json } = await controlSandbox(sandboxUrl, 'faults', faults);
  if (status !== 200) throw new BenchFailure(`The sandbox refused faults: ${JSON.stringify(json)}`);
}

export function controlSandbox(sandboxUrl: string, path: string, body: object) {
  return callOnce<{ provider?: string }>(sandboxUrl, { path: `/_control/${path}`, body });
}
