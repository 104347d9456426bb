import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeIdentifier, escapeLiteral, Pool } from 'pg';
import type { Sql } from '../../domain/shared/sql.ts';
import { startPostgres } from '../../scripts/local/postgres.ts';
import { migrateDatabase } from '../../scripts/migrate-database.ts';
import { openDatabase } from '../../scripts/sandbox/database.ts';
import { prepareSchema } from '../../scripts/sandbox/schema.ts';
import { untilFileEnds } from './file-scope.ts';

/** A migrated database, with the sandbox's tables, that every test database is a copy of. */
const TEMPLATE = 'migrated';

let made = 0;

/**
 * The most connections of a stack in tests: several tests have ten requests wait for one lock. Each
 * connection reads the catalogue and plans its statements anew.
 */
export const TEST_POOL_SIZE = 20;

/**
 * Starts the one PostgreSQL of a test run, in this folder. Processes started later find it in their
 * environment.
 */
export async function startTestPostgres(dir: string): Promise<AsyncDisposable> {
  const server = await startPostgres({
    dir: join(dir, 'postgres'),
    durable: false,
    hasSocket: true,
    settings: FROM_THE_START,
  });
  process.env.TEST_POSTGRES_URL = server.socketUrl('postgres');
  await hashPasswordAgain();
  const [{ clones }] = await ask(CAN_CLONE);
  for (const setting of [...FOR_MANY_SMALL_DATABASES, ...(clones ? [CLONING] : [])])
    await ask(`alter system set ${setting}`);
  await ask('select pg_reload_conf()');
  await server.createDatabase(TEMPLATE);
  await migrateTemplate(server.url(TEMPLATE));
  await using sandbox = openDatabase(server.url(TEMPLATE));
  await prepareSchema(sandbox.sql);
  return server;
}

/** SCHEMA_OF: the folder of a later version, whose schema these tests then run on. */
async function migrateTemplate(databaseUrl: string): Promise<void> {
  const folder = process.env.SCHEMA_OF;
  const version = folder && (await import(join(folder, 'scripts/migrate-database.ts')));
  await (version || { migrateDatabase }).migrateDatabase(databaseUrl);
}

/**
 * Files in memory are read at once, without another process. A thousand connections are opened in a
 * run: hashing their password cost more than the rest.
 */
const FROM_THE_START = ['io_method=sync', 'checkpoint_flush_after=0', 'scram_iterations=1'];

/** The setting counts for passwords that are set from now on. */
async function hashPasswordAgain(): Promise<void> {
  const { password } = new URL(urlOf('postgres'));
  await ask(`alter role postgres password ${escapeLiteral(password)}`);
}

/**
 * Autovacuum would visit hundreds of databases in turn; no statement here is worth compiling, nor
 * planning five times before its plan is kept.
 */
const FOR_MANY_SMALL_DATABASES = [
  'autovacuum = off',
  'jit = off',
  'plan_cache_mode = force_generic_plan',
];
/** Half the work of copying a database, where PostgreSQL was built for it. */
const CLONING = 'file_copy_method = clone';
const CAN_CLONE = `select coalesce(bool_or('clone' = any (enumvals)), false) as clones from pg_settings where name = 'file_copy_method'`;

/**
 * A new database with every table, and nothing in it; returns its address. It is dropped at the end
 * of the test file: hundreds of them would fill the memory or the disk.
 */
export async function newDatabase(): Promise<string> {
  const name = await makeDatabase('test', TEMPLATE);
  untilFileEnds({
    [Symbol.asyncDispose]: () => ask(`drop database ${escapeIdentifier(name)} with (force)`),
  });
  return urlOf(name);
}

export async function migratedDatabase(): Promise<string> {
  return urlOf(await makeDatabase('kept', TEMPLATE));
}

export async function emptyDatabase(): Promise<string> {
  return urlOf(await makeDatabase('empty', 'template1'));
}

/** Shuts a server of our own down at once: when it starts again, it recovers from its log. */
export async function crashPostgres(sql: Sql): Promise<void> {
  const [row] = await sql.query<{ folder: string }>(
    "select setting as folder from pg_settings where name = 'data_directory'",
  );
  const [pid] = (await readFile(join(row!.folder, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGQUIT');
}

/** Several processes make databases at once, so a name contains the process id. */
async function makeDatabase(kind: string, template: string): Promise<string> {
  const name = `${kind}_${process.pid}_${++made}`;
  await ask(`create database ${escapeIdentifier(name)} template ${template} strategy file_copy`);
  return name;
}

let pool: Pool | undefined;
const OPEN_FOR_MS = 5_000;

async function ask(statement: string): Promise<any> {
  if (!pool) {
    const limits = { max: 1, idleTimeoutMillis: OPEN_FOR_MS, allowExitOnIdle: true };
    pool = new Pool({ connectionString: urlOf('postgres'), ...limits });
    pool.on('error', () => {}); // the server stops before it
  }
  return (await pool.query(statement)).rows;
}

function urlOf(database: string): string {
  const url = new URL(process.env.TEST_POSTGRES_URL!);
  url.pathname = database;
  return url.href;
}
