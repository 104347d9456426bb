import { checkAttemptsNow } from '../../payments/attempt/check-attempts-now.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SettlementAccount } from '../account/account.ts';

/**
 * Being named by a provider does not prove a payment. Runs once the discrepancies are written.
 * `where`: SQL on `d`, with `value` as `$1`.
 */
export async function checkNeverNotified(
  tx: Tx,
  { id: connectionId }: SettlementAccount,
  { where, value, most }: { where: string; value: string; most: number },
): Promise<void> {
  const payments = await tx.sql.query<{ reference: string; charge_id: string }>(
    `select reference, charge_id from discrepancies d
     where ${where} and kind = 'never_notified' and status in ('open', 'closed')
       and charge_id is not null
     limit ${most}`,
    [value],
  );
  if (payments.length === 0) return;
  const references = payments.map(({ reference }) => reference);
  const chargeIds = payments.map(({ charge_id: chargeId }) => chargeId);
  await checkAttemptsNow(tx, { connectionId, references, chargeIds });
}
