import type { PaidPayment } from './payment.ts';

export type DisputeQuery = { payment: PaidPayment } | { since: Date };

export interface ProviderDispute {
  providerDisputeId: string;
  providerPaymentId: string;
  /** It ended, and nobody says how. */
  state: 'open' | 'won' | 'lost' | 'closed' | 'unknown';
  isReversed?: boolean;
  /** It takes the merchant's answer, and has none. */
  awaitsResponse?: boolean;
  status: string;
  amountKobo: number | null;
  /** Why the payer's bank asks, where it is stated. */
  reason?: string | null;
  /** The last moment for an answer, where it is stated. */
  respondBy?: Date | null;
  raw: string;
}

/** What the merchant says to it. */
export interface DisputeResponse {
  providerDisputeId: string;
  /** `acceptance`: the money goes back. */
  kind: 'evidence' | 'acceptance';
  /** What is disputed. */
  amountKobo: number;
  /** What was sold and delivered, or why the claim is accepted. */
  details: string;
  customer: { email: string | null; name: string | null; phone: string | null };
  file: { type: 'pdf' | 'jpeg' | 'png'; bytes: Buffer } | null;
  /** `date`: an ISO date. */
  delivery: { address: string | null; date: string | null };
}
