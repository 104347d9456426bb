import { createHash } from 'node:crypto';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { entities } from '../domain/entities.ts';
import type { Database, Sql } from '../domain/sql.ts';
import { Migration0001Charges } from './migrations/migration-0001-charges.ts';

export type Orm = MikroORM;

/** How a process uses its database. */
export interface DatabaseOptions {
  databaseUrl: string;
  /** Connections at the most. */
  poolSize: number;
  /** No statement and no wait for a lock takes longer; null for migrations, which take what they need. */
  statementTimeoutMs: number | null;
}

/** A server that hangs does not even say so: the client gives up this much after the server should have. */
const CLIENT_GRACE_MS = 2_000;

/** Opens the ORM, which owns the one pool of connections; statements written by hand run on the same pool. */
export async function openOrm({ databaseUrl, poolSize, statementTimeoutMs }: DatabaseOptions): Promise<Orm> {
  const limits = statementTimeoutMs ? { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + CLIENT_GRACE_MS } : {};
  return MikroORM.init({
    clientUrl: databaseUrl,
    pool: { max: poolSize },
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: [{ name: 'Migration0001Charges', class: Migration0001Charges }], snapshot: false, silent: true },
    driverOptions: { connectionTimeoutMillis: 5_000, keepAlive: true, ...limits },
  });
}

/** The hand-written side of the pool. */
export async function openDatabase(orm: Orm): Promise<Database> {
  const pool = (await orm.em.getConnection().getNativeClient()) as pg.Pool;
  return {
    query: (text, values) => run(pool, text, values),
    transaction: (work) => inTransaction(pool, work),
  };
}

async function inTransaction<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query('begin');
    const result = await work({ query: (text, values) => run(client, text, values) });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Statements are constant texts, so each is prepared once per connection under a name made of itself. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

const types = { getTypeParser } as pg.CustomTypesConfig;

async function run<Row>(on: pg.Pool | pg.PoolClient, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const result = await on.query({ name: nameOf(text), text, values: [...values], types });
  return result.rows as Row[];
}

const INT8 = 20;

/** Kobo and counts come back as numbers, times as dates, whatever parsers the ORM set on the pool. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? safeNumber : pg.types.getTypeParser(oid, format as 'text');
}

function safeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number exactly.`);
  return value;
}
