import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';

export interface Needs {
  refunds_requested: number;
  refunds_needing_attention: number;
  reviews_open: number;
  disputes_open: number;
  connections_refused: number;
}

/** Beyond it the exact number helps nobody. */
export const MOST_COUNTED = 100;

export async function needsOf(sql: Sql, { tenantId, mode }: Reader): Promise<Needs> {
  const upTo = (rows: string) =>
    `(select count(*)::int from (select from ${rows} limit ${MOST_COUNTED}) counted)`;
  const own = 'tenant_id = $1 and mode = $2';
  const [needs] = await sql.query<Needs>(
    `select ${upTo(`refunds where ${own} and status = 'requested'`)} as refunds_requested,
       ${upTo(`refunds where ${own} and status in ('needs_attention', 'unresolved')`)}
         as refunds_needing_attention,
       ${upTo(`reviews where ${own} and (status = 'open') = true`)} as reviews_open,
       ${upTo(`disputes where ${own} and status = 'open'`)} as disputes_open,
       ${upTo(`connections where ${own} and credentials_refused_at is not null`)}
         as connections_refused`,
    [tenantId, mode],
  );
  return needs!;
}
