import type { Database } from '../../../domain/sql.ts';
import { openDatabase as openPool } from '../../../scripts/sandbox/database.ts';
import { emptyDatabase } from '../../support/postgres.ts';

/** A database of its own for one sandbox. */
export async function openDatabase(): Promise<{ sql: Database; close(): Promise<void> }> {
  return openPool(await emptyDatabase());
}

/** The address of one, for a sandbox in a process of its own. */
export const databaseUrl = emptyDatabase;
