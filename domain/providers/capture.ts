/** A payment that a provider captured. */
export interface ProviderCapture {
  providerPaymentId: string;
  /** The reference the payment carries at the provider. */
  reference: string;
  /** What counts towards the charge, without a fee that the payer bore. */
  amountKobo: number;
  /**
   * What the payer paid on top, where they bore the fee; absent: nothing. A payment that does not
   * pay its charge goes back with it.
   */
  payerFeeKobo?: number;
  /** The provider's fee; null while unstated. */
  feeKobo: number | null;
  currency: string;
  channel: Channel;
  /** `test` or `live`; null where the provider does not state it. */
  mode: string | null;
  createdAt: Date | null;
  /** When it was paid; null where the provider gives no time. */
  capturedAt: Date | null;
}

export const channels = ['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money', 'other'] as const;
export type Channel = (typeof channels)[number];

/** How long a call may take. */
export interface CallOptions {
  timeoutMs: number;
}
