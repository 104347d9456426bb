import type { Context } from './context.ts';
import { newerMigrations } from './database/orm.ts';

/**
 * Logs that the database was migrated by a newer version, where it was. The process runs on: during
 * an upgrade the version before does, and so it does after a step back. Never fails: of a database
 * that cannot be read `/readyz` tells.
 */
export async function warnOfNewerDatabase({ db, log }: Pick<Context, 'db' | 'log'>): Promise<void> {
  const migrations = await newerMigrations(db).catch(() => []);
  if (migrations.length > 0)
    log.warn('database migrated by a newer version', {
      migrations,
      action: 'Replace this process by one of that version or of a later one.',
    });
}
