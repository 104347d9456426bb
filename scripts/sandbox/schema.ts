import type { Sql } from '../../domain/shared/sql.ts';

/**
 * One table for everything: nothing is looked for in it, a starting sandbox reads it whole. Two
 * sandboxes starting at once wait for each other.
 */
const SCHEMA = `do $schema$ begin
  perform pg_advisory_xact_lock(hashtext('sandbox schema'));
  create schema if not exists sandbox;
  create table if not exists sandbox.document (
    kind text not null, id bigint not null, body json, primary key (kind, id)
  ) with (fillfactor = 70);
end $schema$`;

/** Makes the sandbox's schema where it is missing: a role that may not is not asked to. */
export async function prepareSchema(sql: Sql): Promise<void> {
  const [found] = await sql.query<{ table: string | null }>(
    `select to_regclass('sandbox.document')::text as table`,
  );
  if (!found?.table) await sql.query(SCHEMA);
}
