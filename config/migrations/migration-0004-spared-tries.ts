import { Migration } from '@mikro-orm/migrations';

/**
 * Claims that cost no try: nothing was asked of the provider, or it asked to be left alone. `tries` itself only ever grows, because a
 * claim is known by it: a worker that comes back late must not meet its own number again.
 */
export class Migration0004SparedTries extends Migration {
  override up(): void {
    for (const table of ['attempts', 'notifications', 'refunds', 'connection_tasks']) {
      this.addSql(`alter table ${table} add column snoozes integer not null default 0`);
    }
  }
}
