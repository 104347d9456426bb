import type { Database } from '../../../domain/sql.ts';
import { openDatabase as openPool } from '../../../scripts/sandbox/database.ts';

/** The database the sandbox tests run on. */
export async function openDatabase(): Promise<{ sql: Database; close(): Promise<void> }> {
  return openPool(await databaseUrl());
}

/** The same database, for a sandbox in a process of its own. */
export async function databaseUrl(): Promise<string> {
  const url = process.env.SANDBOX_TEST_DATABASE_URL;
  if (!url) throw new Error('Set SANDBOX_TEST_DATABASE_URL to a Postgres these tests may write to.');
  return url;
}
