import { Client, DatabaseError, escapeIdentifier } from 'pg';
import { findBinaries } from './postgres-binaries.ts';
import { prepareData } from './postgres-data.ts';
import { openFolder } from './postgres-folder.ts';
import { lockFolder } from './postgres-lock.ts';
import { stopOrphan } from './postgres-orphan.ts';
import { placeData } from './postgres-place.ts';
import { startServer } from './postgres-server.ts';

export interface LocalPostgres extends AsyncDisposable {
  /** Superuser connection string of one database, host 127.0.0.1. */
  url(database: string): string;
  port: number;
  /** Makes a database when it is missing; `template` copies another, to which nobody may be connected. */
  createDatabase(name: string, template?: string): Promise<void>;
  /** Fast shutdown, waits for the process to be gone. Safe to call twice. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Keeps the data, the password, the log and the lock. Made when missing. */
  dir: string;
  /** Default: a free one. */
  port?: number;
  /** False is for tests: nothing is synced to disk, so a crash of the machine (not of a process) may lose the data. */
  durable: boolean;
  log?: (line: string) => void;
}

/** What only the tests of this file change. */
export interface Internals {
  /** A platform package in another place than node_modules. */
  packageDir?: string;
  /** False: nothing stops Postgres when our process is killed. */
  guarded?: boolean;
}

/**
 * Starts the PostgreSQL that came with `npm ci`, on 127.0.0.1 and with its data in `dir`; a second start finds the data.
 * Whatever a person has to put right comes as a SetupError. One process at a time may use a folder.
 */
export async function startPostgres(
  options: PostgresOptions,
  { packageDir, guarded = true }: Internals = {},
): Promise<LocalPostgres> {
  const { port, durable, log = () => {} } = options;
  await using scope = new AsyncDisposableStack();
  const dir = await openFolder(options.dir);
  scope.use(await lockFolder(dir));
  const { base, user } = await placeData(dir, log);
  const binaries = await findBinaries(user, log, packageDir);
  await stopOrphan(base, log);
  const password = await prepareData({ dir, base, user, binaries, durable, log });
  const server = scope.use(
    await startServer({ dir, base, user, binaries, durable, log, port, guarded, password }),
  );
  return localPostgres(server.port, password, scope.move());
}

function localPostgres(port: number, password: string, scope: AsyncDisposableStack): LocalPostgres {
  const url = (database: string) =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= scope.disposeAsync();
    return stopping;
  };
  const createDatabase = (name: string, template?: string) =>
    makeDatabase(url('postgres'), name, template);
  return { url, port, createDatabase, stop, [Symbol.asyncDispose]: stop };
}

async function makeDatabase(adminUrl: string, name: string, template = 'template1'): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const known = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (known.rowCount === 0)
      await client.query(
        `create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)}`,
      );
  } catch (error) {
    if (!madeMeanwhile(error)) throw error;
  } finally {
    await client.end();
  }
}

/** Two makers of one database: the second gets duplicate_database, or unique_violation when they were really at once. */
function madeMeanwhile(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '42P04' || error.code === '23505');
}
