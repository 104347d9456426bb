import type { RowOf } from '../../shared/columns.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Dispute } from '../entities/dispute.ts';
import type { DisputeStatus } from './transitions.ts';

export type DisputeRow = RowOf<typeof Dispute>;

/** The payment that is disputed, with what is known of its charge. */
export interface DisputedPayment {
  charge: { id: string; tenant_id: string; mode: Mode; status: string };
  captureId: string;
  connectionId: string;
  amountKobo: number;
  /** True when it is the charge's own payment. */
  isApplied: boolean;
}

/** What is reported of a dispute. */
export interface DisputeReport {
  state: DisputeStatus;
  /** Null: entered by hand. */
  providerDisputeId: string | null;
  /** Null: not stated. */
  amountKobo: number | null;
}
