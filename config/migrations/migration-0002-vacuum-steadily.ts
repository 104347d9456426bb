import { Migration } from '@mikro-orm/migrations';

/** Their rows change with every charge, and most of them stay for good. */
const tables = ['charges', 'attempts', 'captures', 'notifications'];

/**
 * PostgreSQL cleans a table when a fifth of its rows have changed. At ten million charges that is
 * after 700,000 payments: until then a list of what is unpaid, or of what is due, steps over an
 * entry of its index for each of them, and the planner's estimates are as old.
 */
export class Migration0002VacuumSteadily extends Migration {
  override up(): void {
    for (const table of tables)
      this.addSql(`alter table ${table} set (
        autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02)`);
  }
}
