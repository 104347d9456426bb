import type { Sql } from '../../../domain/shared/sql.ts';
import { openDatabase as openPool } from '../../../scripts/sandbox/database.ts';
import { emptyDatabase } from '../../support/postgres.ts';

export interface SandboxDatabase {
  sql: Sql;
  close(): Promise<void>;
}

/**
 * Closed, and as good as new: making a database with its tables takes fifty times as long as
 * emptying them.
 */
const cleared: Sql[] = [];

export async function openDatabase(): Promise<SandboxDatabase> {
  const sql = cleared.pop() ?? openPool(await emptyDatabase()).sql;
  return {
    sql,
    async close() {
      await sql.query(CLEAR);
      cleared.push(sql);
    },
  };
}

export async function openEmptyDatabase(): Promise<SandboxDatabase> {
  return openPool(await emptyDatabase());
}

export const databaseUrl = emptyDatabase;

const CLEAR = 'delete from sandbox.document';
