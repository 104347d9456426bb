import type { Job } from '../jobs.ts';
import type { Phase } from '../phase.ts';
import type { ProviderSettlement } from '../providers/payouts.ts';
import type { SettlementAccount } from './account.ts';
import { recordStatement } from './statement.ts';

/** Records a payout that its provider's signed word tells of, and has the connection reconciled now: its lines are asked for. */
export async function takeNotice(
  phase: Phase,
  account: SettlementAccount,
  stated: ProviderSettlement,
): Promise<Job[]> {
  await recordStatement(phase, account, stated);
  const due = await phase.sql.query<{ id: string; tries: number }>(
    `update connection_duties set due_at = $2, ring = 0, rung_at = null
     where connection_id = $1 and duty = 'settlements' and (due_at is null or due_at > $2) returning id, tries`,
    [account.id, phase.now],
  );
  return due.map(({ id, tries }) => ({ queue: 'settlement-reconcile', id, tries }));
}
