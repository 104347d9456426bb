import type { SandboxContext } from '../context.ts';
import type { Account, Settlement } from '../records.ts';

/** A settlement as the control side shows it, whatever its provider. */
export function summariseSettlement(
  context: SandboxContext,
  account: Account,
  settlement: Settlement,
): object {
  const { settlementName } = context.providers[account.provider];
  return {
    id: settlement.id,
    provider: account.provider,
    account_id: account.id,
    provider_settlement_id: settlementName?.(settlement) ?? String(settlement.id),
    status: settlement.status,
    line_count: settlement.lineCount,
    gross_kobo: settlement.grossKobo,
    fee_kobo: settlement.feeKobo,
    deductions_kobo: settlement.deductionsKobo,
    landed_kobo: settlement.landedKobo,
    created_at: settlement.createdAt,
    landed_at: settlement.landedAt,
  };
}
