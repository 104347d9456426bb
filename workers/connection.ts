import type { Context, StoredConnection } from '../config/context.ts';

/** The connection a row points at. Connections are never deleted, so it is there. */
export async function connectionOf({ db }: Context, id: string): Promise<StoredConnection> {
  const [row] = await db.query<StoredConnection>(
    'select id, tenant_id, mode, adapter, credentials, sandbox, disabled_at from connections where id = $1',
    [id],
  );
  if (!row) throw new Error(`No connection ${id}.`);
  return row;
}
