/** Where a fact comes from: SHA-256 (hex) of the raw payload that states it, and the payload itself. */
export interface Evidence {
  sha256: string;
  payload: string;
}

/** Money a provider really took, as one attempt's provider states it. */
export interface CaptureFact {
  type: 'captured';
  attemptId: string;
  /** The reference we sent, and the one the payment carries. */
  attemptReference: string;
  reference: string;
  attemptedAt: Date;
  connectionId: string;
  slot: string;
  providerPaymentId: string;
  /** What counts towards the charge: fees the payer bore on top are not in it. */
  amountKobo: number;
  /** Null while the provider has not stated it. */
  feeKobo: number | null;
  currency: string;
  channel: string;
  mode: string | null;
  createdAt: Date | null;
  capturedAt: Date;
}

/** Everything that can be reported about a charge. */
export type ChargeFact =
  | CaptureFact
  | { type: 'opened'; slot: string; connectionId: string }
  | { type: 'refused' | 'declined' | 'expired' | 'cancelled'; message: string }
  /** The provider used words that no table of ours holds: `status "frozen"`. */
  | { type: 'unclear'; words: string }
  /** `feeKobo` is what the payout took for it; null where nobody states it. */
  | { type: 'settled'; settledAt: Date; settlementId: string; feeKobo: number | null }
  /** Another payout than the one it was settled with holds the charge's own payment now: that one failed, or was stated anew without it. */
  | { type: 'settled elsewhere'; settledAt: Date; settlementId: string; feeKobo: number | null }
  /** Everything completed refunds have sent back of the charge's own money so far, of what was paid: sums, so that they may be told twice. */
  | { type: 'refunded'; totalKobo: number; paidKobo: number }
  /** More came under a payment that is on record: the charge's own, or one on top of it. `amountKobo` is what it is now. */
  | { type: 'grown'; captureId: string; isOwn: boolean; amountKobo: number }
  /** Money on top of the charge's own could not be sent back to the payer. */
  | { type: 'not returned'; captureId: string; amountKobo: number; message: string }
  /** A person takes a payment that was held as the charge's own. */
  | { type: 'accepted'; capture: CaptureFact }
  | { type: 'dispute opened' | 'dispute won' | 'dispute lost' }
  /** A dispute that does not move the charge, in a sentence: it is about another payment, or speaks against what was decided. */
  | { type: 'dispute aside'; captureId: string; amountKobo: number | null; detail: string };
