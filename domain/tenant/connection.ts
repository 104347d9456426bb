import type { Sql } from '../sql.ts';

/** A connection's row, as far as it takes to open it. */
export interface StoredConnection {
  id: string;
  tenant_id: string;
  mode: string;
  adapter: string;
  /** Sealed. */
  credentials: string;
  /** True: it calls the sandbox at SANDBOX_URL. */
  sandbox: boolean;
  /** Not null: nothing new is sent through it; what was sent is still asked about. */
  disabled_at: string | Date | null;
}

/** The connection with this id, disabled or not. Connections are never deleted. */
export async function findConnection(sql: Sql, id: string): Promise<StoredConnection | undefined> {
  const [row] = await sql.query<StoredConnection>(
    'select id, tenant_id, mode, adapter, credentials, sandbox, disabled_at from connections where id = $1',
    [id],
  );
  return row;
}
