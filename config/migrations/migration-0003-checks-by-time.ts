import { Migration } from '@mikro-orm/migrations';

/**
 * Sweeps found attempts to check connection by connection, among all that are to be checked within
 * days: with ten thousand businesses one sweep looked at as many. An index by time finds those due.
 * One that was cut short leaves an index that is not valid, and is made again.
 */
export class Migration0003ChecksByTime extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists attempts_check_time');
    this.addSql(`create index concurrently attempts_check_time on attempts (due_at)
      where due_at is not null
        and status in ('open', 'lost', 'captured', 'declined', 'expired', 'refused')`);
  }
}
