import type { RowOf } from '../../shared/columns.ts';
import type { Settlement } from '../entities/settlement.ts';

export type SettlementRow = RowOf<typeof Settlement>;

export function settlementView(settlement: SettlementRow) {
  return {
    object: 'settlement' as const,
    id: settlement.id,
    provider: settlement.slot,
    provider_reference: settlement.provider_settlement_id,
    status: settlement.status,
    expected_date: settlement.expected_date,
    expected_amount_kobo: settlement.expected_amount_kobo,
    landed_amount_kobo: settlement.landed_amount_kobo,
    shortfall_kobo: shortfallOf(settlement),
    gross_kobo: settlement.gross_kobo,
    fee_kobo: settlement.fee_kobo,
    refunds_kobo: settlement.refunds_kobo,
    chargebacks_kobo: settlement.chargebacks_kobo,
    transaction_count: settlement.transaction_count,
    foreign_kobo: settlement.foreign_kobo,
    foreign_count: settlement.foreign_count,
    bank: bankOf(settlement),
    landed_at: settlement.landed_at?.toISOString() ?? null,
    created_at: settlement.created_at.toISOString(),
    mode: settlement.mode,
  };
}

/** 0 would say that all of it came. */
function shortfallOf({
  expected_amount_kobo: expectedKobo,
  landed_amount_kobo: landedKobo,
}: SettlementRow): number | null {
  return landedKobo === null ? null : Math.max(0, expectedKobo - landedKobo);
}

function bankOf({ bank_name: name, bank_account_last4: last4 }: SettlementRow) {
  return name === null && last4 === null ? null : { name, account_last4: last4 };
}
