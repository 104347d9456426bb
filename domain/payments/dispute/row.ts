import type { Mode } from '../../shared/reader.ts';
import type { DisputeStatus } from './transitions.ts';

/** A dispute as its row holds it. Times UTC. */
export interface DisputeRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  charge_id: string;
  capture_id: string;
  connection_id: string;
  /** Null for one entered by hand that its provider has not reported. */
  provider_dispute_id: string | null;
  /** What is disputed; null where it is not stated. */
  amount_kobo: number | null;
  status: DisputeStatus;
  entered_by: 'provider' | 'operator';
  opened_at: Date;
  decided_at: Date | null;
}

/** The payment that is disputed, with what is known of its charge. */
export interface DisputedPayment {
  charge: { id: string; tenant_id: string; mode: Mode; status: string };
  captureId: string;
  connectionId: string;
  amountKobo: number;
  /** True when it is the charge's own. */
  isApplied: boolean;
}

/** How a dispute is reported to stand. */
export interface DisputeReport {
  state: DisputeStatus;
  /** Null: entered by hand. */
  providerDisputeId: string | null;
  /** Null: not stated. */
  amountKobo: number | null;
}
