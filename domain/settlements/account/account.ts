import type { StoredConnection } from '../../accounts/connection/connection.ts';
import type { Owner } from '../../journal/post.ts';
import type { SettlementTerms } from '../../providers/port/definition.ts';
import type { Capabilities } from '../../providers/port/provider.ts';
import { providerNamed } from '../../providers/registry.ts';
import type { Tx } from '../../shared/tx.ts';

export type SettlementAccount = Pick<
  StoredConnection,
  'id' | 'tenant_id' | 'mode' | 'slot' | 'adapter' | 'sandbox'
>;

/** Of what moves there. */
export function ownerOf({
  id,
  tenant_id,
  mode,
}: Pick<SettlementAccount, 'id' | 'tenant_id' | 'mode'>): Owner {
  return { tenantId: tenant_id, mode, connectionId: id };
}

export function termsOf({ adapter }: SettlementAccount): SettlementTerms {
  return providerNamed(adapter).settlementTerms;
}

export function capabilitiesOf({ adapter }: Pick<SettlementAccount, 'adapter'>): Capabilities {
  return providerNamed(adapter).capabilities;
}

/**
 * Nothing settles in a provider's own test environment. (https://paystack.com/docs/api/settlement/)
 */
export function paysOut({ adapter, mode, sandbox }: SettlementAccount): boolean {
  return capabilitiesOf({ adapter }).settlements !== 'none' && (mode === 'live' || sandbox);
}

/** Whatever compares or assigns money of one connection holds this lock. */
export async function lockAccount({ sql }: Tx, { id }: Pick<SettlementAccount, 'id'>) {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('settlements of ' || $1, 0))`, [
    id,
  ]);
}
