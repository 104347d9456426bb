import type { RowOf } from '../../shared/columns.ts';
import { referenceOf } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Dispute } from '../entities/dispute.ts';
import type { DisputeStatus } from './transitions.ts';

export type DisputeRow = RowOf<typeof Dispute>;

export interface DisputedPayment {
  charge: { id: string; number: number; tenant_id: string; mode: Mode; status: string };
  captureId: string;
  connectionId: string;
  /** The most that the payer's bank may take back. */
  amountKobo: number;
  currency: string;
  isApplied: boolean;
}

export interface DisputeReport {
  state: DisputeStatus;
  providerDisputeId: string | null;
  amountKobo: number | null;
  reason?: string | null;
  respondBy?: Date | null;
}

export function disputeView(row: DisputeRow, chargeNumber: number) {
  const { id, charge_id, amount_kobo, status, reason, opened_at, decided_at, mode } = row;
  const reference = referenceOf(chargeNumber);
  return {
    ...{
      object: 'dispute' as const,
      id,
      reference,
      transaction_id: charge_id,
      amount_kobo,
      status,
    },
    reason,
    respond_by: row.respond_by?.toISOString() ?? null,
    opened_at: opened_at.toISOString(),
    decided_at: decided_at?.toISOString() ?? null,
    /** Whether its provider takes an answer from us: it does of those that it reports. */
    evidence: row.provider_dispute_id === null ? ('at_provider' as const) : ('by_api' as const),
    mode,
  };
}
