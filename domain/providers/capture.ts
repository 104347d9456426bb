/** Money a provider took under one of our references. All kobo. */
export interface ProviderCapture {
  providerPaymentId: string;
  /** The reference the payment carries at the provider. */
  reference: string;
  /** What counts towards the charge: a fee the payer bore on top is not in it. */
  amountKobo: number;
  /** What the merchant pays the provider for it; null while not stated. */
  feeKobo: number | null;
  currency: string;
  channel: Channel;
  /** `test` or `live` as the provider states it, null where it does not. */
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
