import { startTaskNow } from '../../accounts/connection/tasks.ts';
import type { ProviderSettlement } from '../../providers/port/settlement.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SettlementAccount } from '../account/account.ts';
import { recordStatement } from './record-statement.ts';

/**
 * Records the settlement that a signed notification states, and enqueues the reconciliation of its
 * connection, which reads the lines from the provider.
 */
export async function recordSettlementNotification(
  tx: Tx,
  account: SettlementAccount,
  stated: ProviderSettlement,
): Promise<void> {
  await recordStatement(tx, account, stated);
  await startTaskNow(tx, account.id, 'settlements');
}
