import type { Sql } from '../../shared/sql.ts';

/** The server that each connection calls, which never changes: a provider's, or the sandbox. */
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
