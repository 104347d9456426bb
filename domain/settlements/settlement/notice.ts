import type { Job } from '../../jobs.ts';
import type { ProviderSettlement } from '../../providers/payouts.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SettlementAccount } from './account.ts';
import { recordStatement } from './statement.ts';

/** Records a payout that its provider's signed word tells of, and has the connection reconciled now: its lines are asked for. */
export async function takeNotice(
  tx: Tx,
  account: SettlementAccount,
  stated: ProviderSettlement,
): Promise<Job[]> {
  await recordStatement(tx, account, stated);
  const due = await tx.sql.query<{ id: string; tries: number }>(
    `update connection_tasks set due_at = $2, enqueues = 0, enqueued_at = null
     where connection_id = $1 and task = 'settlements' and (due_at is null or due_at > $2) returning id, tries`,
    [account.id, tx.now],
  );
  return due.map(({ id, tries }) => ({ queue: 'settlement-reconcile', id, tries }));
}
