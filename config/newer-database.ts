import type { Context } from './context.ts';
import { newerMigrations } from './database/orm.ts';

/**
 * Logs that a newer version migrated the database: the process runs on, as during an upgrade. Never
 * fails: `/readyz` tells of a database that cannot be read.
 */
export async function warnOfNewerDatabase({ db, log }: Pick<Context, 'db' | 'log'>): Promise<void> {
  const migrations = await newerMigrations(db).catch(() => []);
  if (migrations.length > 0)
    log.warn('database migrated by a newer version', {
      migrations,
      action: 'Replace this process by one of that version or of a later one.',
    });
}
