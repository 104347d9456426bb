import { openOrm } from '../config/db.ts';
import { migrateQueues } from '../config/queues.ts';

/** Brings the database up to this version: our tables, and the queues' own schema beside them. Safe to run again, and at once. */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const orm = await openOrm(databaseUrl, 2);
  try {
    await orm.migrator.up();
    await migrateQueues(databaseUrl);
  } finally {
    await orm.close(true);
  }
}
