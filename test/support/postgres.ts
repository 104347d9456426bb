import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalPostgres, startPostgres } from '../../scripts/local/postgres.ts';
import { removePostgres } from '../../scripts/local/postgres-place.ts';
import { migrateDatabase } from '../../scripts/migrate-database.ts';

/** A migrated database that every test database is a copy of. */
const TEMPLATE = 'migrated';

let running: { server: LocalPostgres; dir: string } | undefined;
let made = 0;

/** Starts the one PostgreSQL of a test run. */
export async function startTestPostgres(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'payments-test-'));
  const server = await startPostgres({ dir, durable: false });
  running = { server, dir };
  await server.createDatabase(TEMPLATE);
  await migrateDatabase(server.url(TEMPLATE));
}

export async function stopTestPostgres(): Promise<void> {
  await running?.server.stop();
  if (running) await removePostgres(running.dir);
  running = undefined;
}

/** A new database with every table, and nothing in it; returns its address. */
export async function newDatabase(): Promise<string> {
  const name = `test_${++made}`;
  await running!.server.createDatabase(name, TEMPLATE);
  return running!.server.url(name);
}

/** A new database without a single table; returns its address. */
export async function emptyDatabase(): Promise<string> {
  const name = `empty_${++made}`;
  await running!.server.createDatabase(name);
  return running!.server.url(name);
}
