import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';

/** How far a business has come, in one mode. */
export interface SetUp {
  is_connected: boolean;
  /** A provider answered a call that our workers made with the credentials on record. */
  is_proved: boolean;
  has_endpoint: boolean;
  has_key: boolean;
  has_payment: boolean;
}

export async function setUpOf(sql: Sql, { tenantId, mode }: Reader, now: Date): Promise<SetUp> {
  const own = 'tenant_id = $1 and mode = $2';
  const connections = `connections c where ${own} and disabled_at is null`;
  const [setUp] = await sql.query<SetUp>(
    `select exists (select from ${connections}) as is_connected,
       exists (select from ${connections} and credentials_refused_at is null and exists (
         select from connection_tasks t where t.connection_id = c.id and t.done_at is not null))
         as is_proved,
       exists (select from webhook_endpoints where ${own} and deleted_at is null) as has_endpoint,
       exists (select from api_keys where ${own} and revoked_at is null
         and (expires_at is null or expires_at > $3)) as has_key,
       exists (select from daily_figures where ${own} and succeeded > 0)
         or exists (select from figure_changes where ${own} and succeeded > 0) as has_payment`,
    [tenantId, mode, now],
  );
  return setUp!;
}
