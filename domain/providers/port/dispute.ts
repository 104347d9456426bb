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
  raw: string;
}
