import type { Sql } from '../../shared/sql.ts';

/** More charges than are created between a backup and the loss of the database. */
const SKIPPED = 10_000_000;

/**
 * Skips numbers of charges. For a restored database: charges that the restore lost have numbers
 * that merchants know, and that must not name other charges.
 */
export async function skipChargeNumbers(sql: Sql): Promise<void> {
  await sql.query("select setval('sv_numbers', nextval('sv_numbers') + $1)", [SKIPPED]);
}
