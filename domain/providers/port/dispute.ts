import type { PaidPayment } from './payment.ts';

export type DisputeQuery = { payment: PaidPayment } | { since: Date };

export interface ProviderDispute {
  providerDisputeId: string;
  providerPaymentId: string;
  /** `closed`: it ended, and its provider no longer says how. */
  state: 'open' | 'won' | 'lost' | 'closed' | 'unknown';
  /** Of one that is closed: true where its payment went back to the payer. */
  isReversed?: boolean;
  status: string;
  amountKobo: number | null;
  raw: string;
}
