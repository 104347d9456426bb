import type { Mode } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';
import type { SettlementStatus, SettlementStep } from './transitions.ts';

/** A settlement as it is read. Kobo are numbers, a day is its ISO date. */
export interface SettlementRow {
  id: string;
  mode: Mode;
  connection_id: string;
  slot: Slot;
  status: SettlementStatus;
  step: SettlementStep;
  /** The day the provider means to pay out. */
  expected_date: string | null;
  expected_amount_kobo: number;
  /** Null until money came. */
  landed_amount_kobo: number | null;
  /** By our records: expected = gross − fee − refunds − chargebacks + foreign. */
  gross_kobo: number;
  fee_kobo: number;
  refunds_kobo: number;
  chargebacks_kobo: number;
  transaction_count: number;
  /** The merchant's other business at the provider that was paid out with it, after fees. */
  foreign_kobo: number;
  foreign_count: number;
  bank_name: string | null;
  bank_account_last4: string | null;
  landed_at: Date | null;
  created_at: Date;
}

/** The settlement object of the API. Every field is always present. */
export function settlementView(settlement: SettlementRow) {
  return {
    object: 'settlement' as const,
    id: settlement.id,
    provider: settlement.slot,
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

/** Null while nothing has landed: 0 would say that all of it came. */
function shortfallOf({
  expected_amount_kobo: expectedKobo,
  landed_amount_kobo: landedKobo,
}: SettlementRow): number | null {
  return landedKobo === null ? null : Math.max(0, expectedKobo - landedKobo);
}

function bankOf({ bank_name: name, bank_account_last4: last4 }: SettlementRow) {
  return name === null && last4 === null ? null : { name, account_last4: last4 };
}
