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
  /**
   * What the provider asked the payer for, where it does not say how much of that is a fee on top.
   * Absent: `amountKobo` is without it.
   */
  payableKobo?: number;
  /** The provider's fee; null while unstated. */
  feeKobo: number | null;
  /**
   * True: the provider took all of it back from the merchant since, by a refund, a lost dispute or
   * a reversal of its own.
   */
  isReversed?: boolean;
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

/** How long one question to a provider may take, however many HTTP calls it needs. */
export interface CallOptions {
  /** One HTTP call: a page of a list, a login. */
  timeoutMs: number;
  /** All of them together; absent: as long as one. */
  totalMs?: number;
  /**
   * Takes an HTTP call, named by its stage, from the connection's budget before it is sent. Throws
   * `limited` when there is none left. Absent: calls are not counted.
   */
  spend?: (stage: string) => Promise<void>;
}
