import type { RowOf } from '../../shared/columns.ts';
import type { Credentials } from '../../shared/credentials.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SealedFor, Vault } from '../../shared/vault.ts';
import type { Connection } from '../entities/connection.ts';

export type ConnectionRow = RowOf<typeof Connection>;

export type StoredConnection = Pick<
  ConnectionRow,
  | 'id'
  | 'tenant_id'
  | 'mode'
  | 'slot'
  | 'adapter'
  | 'credentials'
  | 'sandbox'
  | 'credentials_refused_at'
  | 'calls_paused'
  | 'disabled_at'
>;

/** The connection with this id, disabled or not. Connections are never deleted. */
export async function findConnection(sql: Sql, id: string): Promise<StoredConnection | undefined> {
  const [connection] = await findConnections(sql, [id]);
  return connection;
}

export async function findConnections(
  sql: Sql,
  ids: readonly string[],
): Promise<(StoredConnection | undefined)[]> {
  const rows = await sql.query<StoredConnection>(
    `select id, tenant_id, mode, slot, adapter, credentials, sandbox, credentials_refused_at,
       calls_paused, disabled_at
     from connections where id = any($1)`,
    [ids],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

/** Records whether the provider refuses these credentials, unless they were replaced since. */
export async function recordCredentials(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  { id, credentials }: Pick<StoredConnection, 'id' | 'credentials'>,
  areRefused: boolean,
): Promise<void> {
  await sql.query(
    `update connections set credentials_refused_at = $3 where id = $1 and credentials = $2`,
    [id, credentials, areRefused ? now : null],
  );
}

/** Never makes a pause shorter. */
export async function recordPause(sql: Sql, id: string, counter: string, until: Date) {
  await sql.query(
    `update connections set calls_paused =
       coalesce(calls_paused, '{}') || jsonb_build_object($2::text, $3::text)
     where id = $1 and coalesce((calls_paused ->> $2)::timestamptz, '-infinity') < ($3::text)::timestamptz`,
    [id, counter, until.toISOString()],
  );
}

/** Its imported payments wait to be planned and compared with payouts. */
export async function markImporting({ sql, now }: Pick<Tx, 'sql' | 'now'>, id: string) {
  await sql.query(
    'update connections set importing_since = $2 where id = $1 and importing_since is null',
    [id, now],
  );
}

export async function markImported({ sql }: Pick<Tx, 'sql'>, id: string): Promise<void> {
  await sql.query('update connections set importing_since = null where id = $1', [id]);
}

export interface NamedConnection
  extends Pick<ConnectionRow, 'id' | 'tenant_id' | 'mode' | 'slot' | 'adapter' | 'disabled_at'> {
  tenant: string;
}

/** For operators only. */
export function listNamedConnections(sql: Sql, tenantId: string | null) {
  return sql.query<NamedConnection>(
    `select c.id, c.tenant_id, c.mode, c.slot, c.adapter, c.disabled_at, t.name as tenant
     from connections c join tenants t on t.id = c.tenant_id
     where $1::text is null or c.tenant_id = $1
     order by c.tenant_id, c.mode, c.slot, c.disabled_at nulls first, c.id`,
    [tenantId],
  );
}

type Owner = Pick<StoredConnection, 'id' | 'tenant_id' | 'mode'>;

export function sealCredentials(vault: Vault, owner: Owner, credentials: Credentials): string {
  return vault.seal(JSON.stringify(credentials), sealedFor(owner));
}

export function openCredentials(
  vault: Vault,
  connection: Owner & Pick<StoredConnection, 'credentials'>,
): Credentials {
  return JSON.parse(vault.open(connection.credentials, sealedFor(connection)));
}

function sealedFor({ id, tenant_id, mode }: Owner): SealedFor {
  return { table: 'connections', row: id, tenant: tenant_id, mode };
}
