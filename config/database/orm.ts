import { Migrator } from '@mikro-orm/migrations';
import { EntityCaseNamingStrategy, MikroORM } from '@mikro-orm/postgresql';
import { entities } from '../../domain/entities.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { baselineName, Migration0001Baseline } from '../migrations/migration-0001-baseline.ts';
import { Migration0002VacuumSteadily } from '../migrations/migration-0002-vacuum-steadily.ts';
import { Migration0003ChecksByTime } from '../migrations/migration-0003-checks-by-time.ts';
import { SetupError } from '../setup-error.ts';
import { ASKS_EVERY_MS } from './database-clock.ts';

const migrationsList = [
  { name: baselineName, class: Migration0001Baseline },
  { name: 'Migration0002VacuumSteadily', class: Migration0002VacuumSteadily },
  { name: 'Migration0003ChecksByTime', class: Migration0003ChecksByTime },
];

export type Orm = MikroORM;

/** Brings the tables up to this version. Throws `SetupError` where the database is newer. */
export async function migrateTables(orm: Orm): Promise<void> {
  const executed = (await orm.migrator.getExecuted()).map(({ name }) => name);
  const newest = unknownTo(executed).at(-1);
  if (newest !== undefined) {
    const isNewer = migrationsList.every(({ name }) => executed.includes(name));
    throw new SetupError(isNewer ? migratedByNewerVersion(newest) : MADE_BY_ANOTHER_BUILD);
  }
  await orm.migrator.up();
}

/** Migrations of the database that this version does not know: during an upgrade there may be. */
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

export interface DatabaseOptions {
  databaseUrl: string;
  poolSize: number;
  /** The bound of a statement or a wait for a lock; null: none, for migrations. */
  statementTimeoutMs: number | null;
  /** Set for migrations. Absent: as long as a statement. */
  lockTimeoutMs?: number;
  /** A pooler in transaction mode refuses settings of sessions: the role must bound statements. */
  isPooled?: boolean;
}

/** A server that hangs reports no time-out: the client gives up. */
const CLIENT_GRACE_MS = 2_000;

/**
 * A process that waits asks the database for its time, and keeps one connection by that. A shorter
 * time closed it before each question: thirty such processes cost PostgreSQL four times as much.
 */
const CLOSED_WITHOUT_USE_MS = 1.5 * ASKS_EVERY_MS;

/**
 * Statements find rows by an index whatever the values, so they are planned once per connection.
 * Without this PostgreSQL plans the first five uses, and keeps reading whole tables that were small
 * then. Generic plans cost what says nothing, and must not be compiled for it.
 */
export const PLANNED_ONCE = [
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  ...['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'].map((plan) => `${plan}=off`),
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** Opens the ORM with the one pool, on which statements written by hand run too. */
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
    pool: { max: poolSize, idleTimeoutMillis: CLOSED_WITHOUT_USE_MS },
    entities,
    namingStrategy: EntityCaseNamingStrategy,
    extensions: [Migrator],
    // Each in a transaction of its own: an index that is made concurrently can be in none.
    migrations: { migrationsList, allOrNothing: false, snapshot: false, silent: true },
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
