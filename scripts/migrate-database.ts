import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../config/database/db.ts';
import { migrateTables, openOrm } from '../config/database/orm.ts';
import { grantSupport } from '../config/database/support-role.ts';
import { migrateQueues } from '../config/queues/queues.ts';
import { SetupError } from '../config/setup-error.ts';
import { PARTITION_DAYS_AHEAD, partitionedTables } from '../domain/partitioned-tables.ts';
import { skipChargeNumbers } from '../domain/payments/charge/skip-numbers.ts';
import { createPartitions } from '../domain/shared/partitions.ts';
import { alignFeed } from '../domain/webhooks/event/feed.ts';

/** One migrator at a time: a second waits here and then finds nothing to do. */
const ADVISORY_LOCK = 7_201_002;

/** Whoever waits for a lock keeps later ones waiting, payers too: a migration soon gives up. */
const LOCK_TIMEOUT_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';

const LOOKS_EVERY_MS = 200;

/** Waiting for another migrator asks this often, and not longer than this for an answer. */
const WAITING_MS = 1_000;

/** A server answers while it still replays its log after a restore or a promotion. */
const RECOVERY_MS = 60_000;

/**
 * Brings the database up to this version and, when it was restored, to this cluster. `now`: also
 * makes the partitions of this time. Safe to run again. Waits a minute for a server in recovery,
 * and 3 s for a table that somebody holds; then throws a `SetupError`.
 */
export async function migrateDatabase(databaseUrl: string, now?: Date, isRestored = false) {
  const lock = new pg.Client({ connectionString: databaseUrl });
  await lock.connect();
  try {
    await untilRecovered(lock);
    await untilLocked(lock);
    await migrate(databaseUrl, now, isRestored);
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new SetupError(
      'Another transaction holds a table that the migration changes. Nothing waits for it any more: run it again.',
    );
  } finally {
    await lock.end();
  }
}

/** Waits until somebody has brought the database up to this version, or a later one. */
export async function untilMigrated(databaseUrl: string, stopped: AbortSignal): Promise<void> {
  const orm = await openOrm({ databaseUrl, poolSize: 1, statementTimeoutMs: WAITING_MS });
  const isMigrated = async () => {
    await orm.em.execute('select pg_advisory_xact_lock_shared(?)', [ADVISORY_LOCK]);
    return (await orm.migrator.getPending()).length === 0;
  };
  try {
    // Failures are passing: the database may still start, or a migrator be at work.
    while (!(await isMigrated().catch(() => false)))
      await pause(WAITING_MS, undefined, { signal: stopped });
  } finally {
    await orm.close(true);
  }
}

async function untilRecovered(client: pg.Client): Promise<void> {
  const giveUpAt = performance.now() + RECOVERY_MS;
  while ((await client.query('select pg_is_in_recovery() as recovering')).rows[0].recovering) {
    if (performance.now() > giveUpAt)
      throw new SetupError(
        'The database takes no writes: it is a replica, or still replays its log. ' +
          'Name the primary in DATABASE_URL, or wait until the recovery has ended.',
      );
    await pause(LOOKS_EVERY_MS);
  }
}

/** Asks again and again: an index made concurrently waits for every statement that waits. */
async function untilLocked(client: pg.Client): Promise<void> {
  const take = 'select pg_try_advisory_lock($1) as taken';
  while (!(await client.query(take, [ADVISORY_LOCK])).rows[0].taken) await pause(LOOKS_EVERY_MS);
}

async function migrate(databaseUrl: string, now: Date | undefined, isRestored: boolean) {
  const limits = { statementTimeoutMs: null, lockTimeoutMs: LOCK_TIMEOUT_MS };
  const orm = await openOrm({ databaseUrl, poolSize: 2, ...limits });
  try {
    await migrateTables(orm);
    const db = await openDatabase(orm);
    await db.transaction((sql) => alignFeed(sql, isRestored));
    await db.transaction(grantSupport);
    if (isRestored) await skipChargeNumbers(db);
    for (const table of now ? partitionedTables : [])
      await createPartitions({ db, now: now! }, table, PARTITION_DAYS_AHEAD);
    await migrateQueues(databaseUrl, LOCK_TIMEOUT_MS);
  } finally {
    await orm.close(true);
  }
}
