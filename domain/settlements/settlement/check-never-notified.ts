import { checkAttemptsNow } from '../../payments/attempt/check-attempts-now.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SettlementAccount } from '../account/account.ts';

/** Attempts that one transaction makes due. */
const MAX_CHECKED = 5_000;

/**
 * Has the provider asked now about the payments that a settlement names and that are not on record:
 * a line does not prove a payment. Runs once their discrepancies are written, so that these are on
 * record however soon the payments are.
 */
export async function checkNeverNotified(
  tx: Tx,
  { id: connectionId }: SettlementAccount,
  settlementId: string,
): Promise<void> {
  const payments = await tx.sql.query<{ reference: string; charge_id: string }>(
    `select reference, charge_id from discrepancies
     where settlement_id = $1 and kind = 'never_notified' and status in ('open', 'closed')
       and charge_id is not null
     limit ${MAX_CHECKED}`,
    [settlementId],
  );
  if (payments.length === 0) return;
  const references = payments.map(({ reference }) => reference);
  const chargeIds = payments.map(({ charge_id: chargeId }) => chargeId);
  await checkAttemptsNow(tx, { connectionId, references, chargeIds });
}
