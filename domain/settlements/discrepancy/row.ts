import type { Mode } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';
import type { DiscrepancyKind, DiscrepancyStatus } from './transitions.ts';

/** A discrepancy with the line that causes it. Days are those of Lagos. */
export interface DiscrepancyRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  slot: Slot;
  kind: DiscrepancyKind;
  settlement_id: string | null;
  charge_id: string | null;
  /** The reference the payment was made under; null where a whole settlement differs. */
  reference: string | null;
  /** The amount in question, never negative. */
  amount_kobo: number;
  /** Its part of what was expected and did not land; negative where more landed. */
  difference_kobo: number;
  detail: string;
  status: DiscrepancyStatus;
  day: string;
  closed_by: string | null;
  close_reason: string | null;
  opened_at: Date;
  ended_at: Date | null;
  line: DiscrepancyLine | null;
}

/** A line of a settlement, as its provider states it. */
export interface DiscrepancyLine {
  provider_payment_id: string;
  reference: string;
  amount_kobo: number;
  fee_kobo: number | null;
}

/** The discrepancy object of the API. Every field is always present. */
export function discrepancyView(discrepancy: DiscrepancyRow) {
  const { line } = discrepancy;
  return {
    object: 'discrepancy' as const,
    id: discrepancy.id,
    kind: discrepancy.kind,
    provider: discrepancy.slot,
    status: discrepancy.status,
    settlement_id: discrepancy.settlement_id,
    transaction_id: discrepancy.charge_id,
    reference: discrepancy.reference,
    amount_kobo: discrepancy.amount_kobo,
    difference_kobo: discrepancy.difference_kobo,
    detail: discrepancy.detail,
    line: line && {
      provider_reference: line.provider_payment_id,
      reference: line.reference,
      amount_kobo: line.amount_kobo,
      fee_kobo: line.fee_kobo,
    },
    date: discrepancy.day,
    closed_by: discrepancy.closed_by,
    close_reason: discrepancy.close_reason,
    opened_at: discrepancy.opened_at.toISOString(),
    ended_at: discrepancy.ended_at?.toISOString() ?? null,
    mode: discrepancy.mode,
  };
}
