import type { Tx } from '../shared/tx.ts';

/**
 * Makes changes of one tenant wait for each other. The ORM knows only stronger locks, which would
 * block new rows of the tenant too.
 */
export async function lockTenant({ sql }: Pick<Tx, 'sql'>, tenantId: string): Promise<void> {
  await sql.query('select from tenants where id = $1 for no key update', [tenantId]);
}
