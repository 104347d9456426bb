import type { RowOf } from '../../shared/columns.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Dispute } from '../entities/dispute.ts';
import type { DisputeStatus } from './transitions.ts';

export type DisputeRow = RowOf<typeof Dispute>;

export interface DisputedPayment {
  charge: { id: string; tenant_id: string; mode: Mode; status: string };
  captureId: string;
  connectionId: string;
  amountKobo: number;
  isApplied: boolean;
}

export interface DisputeReport {
  state: DisputeStatus;
  providerDisputeId: string | null;
  amountKobo: number | null;
}

export function disputeView(row: DisputeRow, reference: string) {
  const { id, charge_id, amount_kobo, status, opened_at, decided_at, mode, tenant_id } = row;
  return {
    ...{ object: 'dispute', id, reference, transaction_id: charge_id, amount_kobo, status },
    opened_at: opened_at.toISOString(),
    decided_at: decided_at?.toISOString() ?? null,
    ...{ mode, tenant_id },
  };
}
