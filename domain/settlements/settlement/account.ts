import type { StoredConnection } from '../../accounts/connection/connection.ts';
import type { SettlementTerms } from '../../providers/definition.ts';
import type { Capabilities } from '../../providers/provider.ts';
import { providerNamed } from '../../providers/registry.ts';
import type { Tx } from '../../shared/tx.ts';

/** A connection, as far as payouts care. */
export type SettlementAccount = Pick<
  StoredConnection,
  'id' | 'tenant_id' | 'mode' | 'slot' | 'adapter' | 'sandbox'
>;

/** When and how its provider pays out. */
export function termsOf({ adapter }: SettlementAccount): SettlementTerms {
  return providerNamed(adapter).settlementTerms;
}

/** What its provider can be asked. */
export function capabilitiesOf({ adapter }: Pick<SettlementAccount, 'adapter'>): Capabilities {
  return providerNamed(adapter).capabilities;
}

/**
 * True where settlements are expected: the provider can be asked about them, and it is not the
 * provider's own test environment, where nothing settles. (https://paystack.com/docs/api/settlement/)
 */
export function paysOut({ adapter, mode, sandbox }: SettlementAccount): boolean {
  return capabilitiesOf({ adapter }).settlements !== 'none' && (mode === 'live' || sandbox);
}

/** Whoever compares or shares out the money of one connection takes turns with all others that do, until this transaction ends. */
export async function takeTurn({ sql }: Tx, { id }: Pick<SettlementAccount, 'id'>): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('settlements of ' || $1, 0))`, [
    id,
  ]);
}

const DAY_MS = 24 * 3_600_000;

/** The ISO date so many days later, or earlier. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
