import type { StoredConnection } from '../../accounts/connection/connection.ts';
import { adapters } from '../../providers/adapters.ts';
import type { PayoutTerms } from '../../providers/payouts.ts';
import type { Tx } from '../../shared/tx.ts';

/** A connection, as far as payouts care. */
export type SettlementAccount = Pick<
  StoredConnection,
  'id' | 'tenant_id' | 'mode' | 'slot' | 'adapter' | 'sandbox'
>;

/** When and how its provider pays out. */
export function termsOf({ adapter }: SettlementAccount): PayoutTerms {
  return adapters[adapter]!.payouts;
}

/** True where payouts are to be expected: nothing settles in a provider's own test environment. (https://paystack.com/docs/api/settlement/) */
export function paysOut({ mode, sandbox }: SettlementAccount): boolean {
  return mode === 'live' || sandbox;
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
