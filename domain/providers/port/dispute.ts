import type { PaidPayment } from './payment.ts';

export type DisputeQuery = { payment: PaidPayment } | { since: Date };

export interface ProviderDispute {
  providerDisputeId: string;
  providerPaymentId: string;
  /** It ended, and nobody says how. */
  state: 'open' | 'won' | 'lost' | 'closed' | 'unknown';
  isReversed?: boolean;
  status: string;
  amountKobo: number | null;
  /** Why the payer's bank asks, where it is stated. */
  reason?: string | null;
  /** The last moment for an answer, where it is stated. */
  respondBy?: Date | null;
  raw: string;
}
