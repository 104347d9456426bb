import type { Sql } from '../shared/sql.ts';

/**
 * Names by id: members with their e-mail address, API keys by kind, name and last four characters.
 */
export async function actorNames(
  sql: Sql,
  tenantId: string,
  ids: readonly (string | null)[],
): Promise<(id: string) => string> {
  const rows = await sql.query<{ id: string; name: string }>(
    `select id, coalesce(name || ' (' || email || ')', email) as name
     from members where tenant_id = $1 and id = any($2)
     union all
     select id, initcap(kind) || ' key ' || coalesce('“' || name || '” ', '') || '…' || last4
     from api_keys where tenant_id = $1 and mode = any(array['live', 'test']) and id = any($2)`,
    [tenantId, [...new Set(ids)]],
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
