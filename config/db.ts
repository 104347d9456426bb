import { createHash } from 'node:crypto';
import { Migrator } from '@mikro-orm/migrations';
import {
  EntityCaseNamingStrategy,
  type EntityManager,
  MikroORM,
  type Transaction,
} from '@mikro-orm/postgresql';
import type pg from 'pg';
import { entities } from '../domain/entities.ts';
import { Problem } from '../domain/shared/problems.ts';
import type { Entities, Session, Sql } from '../domain/shared/sql.ts';
import { collectWrites } from '../domain/shared/writes.ts';
import { baselineName, Migration0001Baseline } from './migrations/migration-0001-baseline.ts';
import { types } from './result-types.ts';
import { SetupError } from './setup-error.ts';

/** Every migration, in order. */
const migrationsList = [{ name: baselineName, class: Migration0001Baseline }];

/** Properties have the names of their columns, constraints those that PostgreSQL gives them. */
class ColumnNames extends EntityCaseNamingStrategy {
  override indexName(
    tableName: string,
    columns: string[],
    type: 'primary' | 'foreign' | 'unique' | 'index' | 'sequence' | 'check' | 'default',
  ): string {
    const suffix = { foreign: 'fkey', unique: 'key' }[type as string];
    return suffix
      ? [tableName, ...columns, suffix].join('_')
      : super.indexName(tableName, columns, type);
  }
}

/** The names of partitions. */
const PARTITION = /_(default|\d{8})$/;

export type Orm = MikroORM;

/**
 * Brings the tables up to this version. Refuses a database with migrations this version does not
 * know.
 */
export async function migrateTables(orm: Orm): Promise<void> {
  const known = new Set(migrationsList.map(({ name }) => name));
  const executed = await orm.migrator.getExecuted();
  if (executed.some(({ name }) => !known.has(name))) throw new SetupError(MADE_BY_ANOTHER_BUILD);
  await orm.migrator.up();
}

const MADE_BY_ANOTHER_BUILD =
  'This database was made by another version of the service, whose data this one cannot use: ' +
  'start with a new folder (LOCAL_DIR=/tmp/new-folder npm start), ' +
  'or set DATABASE_URL to a new database.';

/** How a process uses its database. */
export interface DatabaseOptions {
  databaseUrl: string;
  /** The most connections of the pool. */
  poolSize: number;
  /**
   * The longest a statement or a wait for a lock may take; null: no limit, for migrations.
   */
  statementTimeoutMs: number | null;
  /**
   * True: the address leads through a pooler in transaction mode, which refuses settings of
   * sessions. The role sets the longest time of a statement then.
   */
  isPooled?: boolean;
}

/**
 * A server that hangs reports no time-out: the client gives up this long after the server's limit.
 */
const CLIENT_GRACE_MS = 2_000;

/**
 * Statements find rows by their ids or by an index, whatever the values: planning each once for a
 * connection is enough, and that plan must hold when the tables have grown. Without it PostgreSQL
 * plans the first five uses on each connection, and on tables that were small then it reads whole
 * tables until they are analyzed. Behind a pooler nothing is prepared, and each use is planned.
 */
export const PLANNED_ONCE = [
  'plan_cache_mode=force_generic_plan',
  ...['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'].map((plan) => `${plan}=off`),
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/**
 * Opens the ORM, which owns the one pool of connections; statements written by hand run on the same
 * pool.
 */
export async function openOrm({
  databaseUrl,
  poolSize,
  statementTimeoutMs,
  isPooled = false,
}: DatabaseOptions): Promise<Orm> {
  const sessionLimits = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  };
  const limits = statementTimeoutMs
    ? { query_timeout: statementTimeoutMs + CLIENT_GRACE_MS, ...(isPooled ? {} : sessionLimits) }
    : {};
  const planned = isPooled ? {} : { options: PLANNED_ONCE };
  return MikroORM.init({
    clientUrl: databaseUrl,
    pool: { max: poolSize },
    entities,
    namingStrategy: ColumnNames,
    schemaGenerator: {
      skipTables: ['rate_limits', PARTITION],
      ignoreSchema: ['bullmq', 'sandbox'],
    },
    extensions: [Migrator],
    migrations: { migrationsList, snapshot: false, silent: true },
    driverOptions: {
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      // A server that hangs does not answer the end of a connection, which must keep no process.
      allowExitOnIdle: true,
      ...planned,
      ...limits,
    },
  });
}

/**
 * The one pool, for statements and for entities. Each reading of `em` gives a new EntityManager.
 */
export interface ServiceDatabase extends Sql, Entities {
  /** Runs `work` in one transaction: commits what it returns, rolls back when it throws. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
}

/**
 * Statements are prepared once per connection, unless they run on another connection of a pooler
 * each time.
 */
export async function openDatabase(
  orm: Orm,
  { isPooled = false }: Pick<DatabaseOptions, 'isPooled'> = {},
): Promise<ServiceDatabase> {
  const pool = (await orm.em.getConnection().getNativeClient()) as pg.Pool;
  const prepares = !isPooled;
  return {
    query: (text, values) => onceMore(prepares, (prepared) => run(pool, text, values, prepared)),
    transaction: (work) =>
      onceMore(prepares, (prepared) => inTransaction(orm, pool, work, prepared)),
    get em() {
      return orm.em.fork();
    },
  };
}

/**
 * Errors after which nothing was written and a repeat helps: a plan prepared before a column was
 * added, or a deadlock.
 */
const PASSING = new Set(['0A000', '40P01']);

async function onceMore<T>(prepares: boolean, work: (prepared: boolean) => Promise<T>): Promise<T> {
  try {
    return await work(prepares);
  } catch (error) {
    if (!PASSING.has((error as { code?: string }).code ?? '')) throw error;
    return work(false);
  }
}

/**
 * A connection on which something failed is closed and not used again. A refusal (`Problem`) is no
 * failure: it rolls back and keeps the connection.
 */
async function inTransaction<T>(
  orm: Orm,
  pool: pg.Pool,
  work: (session: Session) => Promise<T>,
  prepared: boolean,
): Promise<T> {
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('begin');
    let em: EntityManager | undefined;
    const { query, write, flush } = collectWrites({
      query: (text, values) => run(client, text, values, prepared),
    });
    const result = await work({
      query,
      write,
      get em() {
        em ??= entityManagerOn(orm, client, flush);
        return em;
      },
    });
    await flush();
    await em?.flush();
    await client.query('commit');
    failed = false;
    return result;
  } catch (error) {
    if (error instanceof Problem) {
      await client.query('rollback');
      failed = false;
    }
    throw error;
  } finally {
    client.release(failed);
  }
}

/**
 * An EntityManager whose statements run in the transaction that is open on this connection, after
 * the writes that wait.
 */
function entityManagerOn(
  orm: Orm,
  client: pg.PoolClient,
  flush: () => Promise<void>,
): EntityManager {
  const em = orm.em.fork();
  const executeQuery = async ({ sql }: { sql: string }) => {
    await flush();
    const { rows, rowCount } = await client.query(sql);
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  };
  // Of a transaction that it did not begin, the ORM needs only a way to run statements.
  em.setTransactionContext({ executeQuery } as unknown as Transaction);
  return em;
}

/**
 * Statements are constant texts, so each is prepared once per connection under a name made of
 * itself.
 */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

type Connection = pg.Pool | pg.PoolClient;

async function run<Row>(
  on: Connection,
  text: string,
  values: readonly unknown[] = [],
  prepared: boolean,
): Promise<Row[]> {
  const result = await on.query({
    ...(prepared ? { name: nameOf(text) } : {}),
    text,
    values: [...values],
    types,
  });
  return result.rows as Row[];
}
