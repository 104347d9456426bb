import type { StoredConnection } from '../../accounts/connection/connection.ts';
import type { SettlementTerms } from '../../providers/port/definition.ts';
import type { Capabilities } from '../../providers/port/provider.ts';
import { providerNamed } from '../../providers/registry.ts';
import type { Tx } from '../../shared/tx.ts';

export type SettlementAccount = Pick<
  StoredConnection,
  'id' | 'tenant_id' | 'mode' | 'slot' | 'adapter' | 'sandbox'
>;

export function termsOf({ adapter }: SettlementAccount): SettlementTerms {
  return providerNamed(adapter).settlementTerms;
}

export function capabilitiesOf({ adapter }: Pick<SettlementAccount, 'adapter'>): Capabilities {
  return providerNamed(adapter).capabilities;
}

/**
 * True where settlements are expected: the provider can be asked about them, and it is not the
 * provider's own test environment, where nothing settles.
 * (https://paystack.com/docs/api/settlement/)
 */
export function paysOut({ adapter, mode, sandbox }: SettlementAccount): boolean {
  return capabilitiesOf({ adapter }).settlements !== 'none' && (mode === 'live' || sandbox);
}

/**
 * Locks a connection's settlements until this transaction ends. Everything that compares or
 * assigns money of one connection holds this lock, so that it runs one at a time.
 */
export async function lockAccount(
  { sql }: Tx,
  { id }: Pick<SettlementAccount, 'id'>,
): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('settlements of ' || $1, 0))`, [
    id,
  ]);
}
