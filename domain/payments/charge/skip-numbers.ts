import type { Sql } from '../../shared/sql.ts';

/** More than are created between a backup and the loss of the database. */
const SKIPPED = 10_000_000;

/** After a restore: numbers of lost charges, which merchants know, must name no others. */
export async function skipChargeNumbers(sql: Sql): Promise<void> {
  await sql.query("select setval('sv_numbers', nextval('sv_numbers') + $1)", [SKIPPED]);
}
