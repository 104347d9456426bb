import type { Sql } from '../../shared/sql.ts';

/**
 * The provider that each of these connections calls, by the connection's id. A provider's test
 * environment and the sandbox are servers of their own. That of a connection never changes.
 */
export async function providersCalled(
  sql: Sql,
  connectionIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql.query<{ id: string; provider: string }>(
    `select id, concat_ws(' ', case when sandbox then 'sandbox' end, adapter, mode) as provider
     from connections where id = any($1)`,
    [connectionIds],
  );
  return new Map(rows.map(({ id, provider }) => [id, provider]));
}
