import { Migrator } from '@mikro-orm/migrations';
import { EntityCaseNamingStrategy, MikroORM } from '@mikro-orm/postgresql';
import { entities } from '../../domain/entities.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { baselineName, Migration0001Baseline } from '../migrations/migration-0001-baseline.ts';
import { SetupError } from '../setup-error.ts';

/** Every migration, in order. */
const migrationsList = [{ name: baselineName, class: Migration0001Baseline }];

export type Orm = MikroORM;

/**
 * Brings the tables up to this version. Changes nothing and throws `SetupError` where the database
 * has migrations that this version does not know.
 */
export async function migrateTables(orm: Orm): Promise<void> {
  const executed = (await orm.migrator.getExecuted()).map(({ name }) => name);
  const newest = unknownTo(executed).at(-1);
  if (newest !== undefined) {
    const isNewer = migrationsList.every(({ name }) => executed.includes(name));
    throw new SetupError(isNewer ? migratedByNewerVersion(newest) : MADE_BY_ANOTHER_BUILD);
  }
  await orm.migrator.up();
}

/**
 * The migrations of the database that this version does not know, oldest first. Processes may run
 * all the same, as those of the version before do during an upgrade: only a migration may not.
 */
export async function newerMigrations(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    'select name from mikro_orm_migrations order by id',
  );
  return unknownTo(rows.map(({ name }) => name));
}

function unknownTo(executed: readonly string[]): string[] {
  const known = new Set<string>(migrationsList.map(({ name }) => name));
  return executed.filter((name) => !known.has(name));
}

const migratedByNewerVersion = (newest: string) =>
  `The database was migrated to "${newest}" by a newer version of the service and was not changed: ` +
  'run `npm run migrate` of that version or of a later one.';

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
  /** The longest a wait for a lock may take, for migrations. Absent: as long as a statement. */
  lockTimeoutMs?: number;
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
 * What a plan costs says nothing then, and must not have it compiled.
 */
export const PLANNED_ONCE = [
  'plan_cache_mode=force_generic_plan',
  'jit=off',
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
  lockTimeoutMs,
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
    namingStrategy: EntityCaseNamingStrategy,
    extensions: [Migrator],
    migrations: { migrationsList, snapshot: false, silent: true },
    driverOptions: {
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      // A server that hangs does not answer the end of a connection, which must keep no process.
      allowExitOnIdle: true,
      ...planned,
      ...limits,
      ...(lockTimeoutMs ? { lock_timeout: lockTimeoutMs } : {}),
    },
  });
}
