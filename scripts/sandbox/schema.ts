import type { Database } from '../../domain/shared/sql.ts';

/** One table for everything: nothing is looked for in it, a starting sandbox reads it whole. */
const SCHEMA = `do $schema$ begin
  create schema if not exists sandbox;
  create table if not exists sandbox.document (
    kind text not null, id bigint not null, body json, primary key (kind, id)
  ) with (fillfactor = 70);
end $schema$`;

/** Makes the sandbox's schema where it is missing: a role that may not is not asked to. */
export async function prepareSchema(sql: Database): Promise<void> {
  const [found] = await sql.query<{ table: string | null }>(
    `select to_regclass('sandbox.document')::text as table`,
  );
  if (found?.table) return;
  await sql.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('sandbox schema'))`);
    await tx.query(SCHEMA);
  });
}
