import type { RowOf } from '../../shared/columns.ts';
import type { Discrepancy } from '../entities/discrepancy.ts';
import type { SettlementLine } from '../entities/settlement-line.ts';

/** Days are those of Lagos. */
export type DiscrepancyRow = RowOf<typeof Discrepancy> & { line: DiscrepancyLine | null };

export type DiscrepancyLine = Pick<
  RowOf<typeof SettlementLine>,
  'provider_payment_id' | 'reference' | 'amount_kobo' | 'fee_kobo'
>;

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
