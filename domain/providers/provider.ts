import type { Fields } from '../problems.ts';

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

/**
 * A provider's answer about one reference.
 * `absent`: it knows no such payment. `unpaid`: known, nothing final. `declined`: failed for good. `ended`: its link takes no money any
 * more. `paid`: see `captures`. `unknown`: a status no table of ours holds; `status` says which.
 */
export interface Verification {
  state: 'absent' | 'unpaid' | 'declined' | 'ended' | 'paid' | 'unknown';
  /** The provider's own word for it. */
  status: string;
  /** Every capture under the reference, reversed ones included: they were taken first. */
  captures: ProviderCapture[];
  /** Plain words for a declined payment. */
  failureMessage: string | null;
  /** The raw answer, kept as evidence. */
  raw: string;
}

/** What a hosted payment is asked for. */
export interface PaymentOrder {
  /** Our own reference for this attempt, unique for ever. */
  reference: string;
  amountKobo: number;
  currency: string;
  email: string;
  name: string | null;
  phone: string | null;
  description: string | null;
  /** Where the payer's browser returns to. */
  callbackUrl: string;
}

export interface HostedPayment {
  /** The provider's pay page. */
  url: string;
  /** When that page takes no money any more; null: it has no end of its own. */
  linkExpiresAt: Date | null;
}

/** What an incoming notification says, once its signature holds: only which payments to ask about. */
export interface Notification {
  event: string;
  /** Our attempt references it speaks of; empty when it concerns nothing of ours. */
  references: string[];
}

/**
 * One tenant's account at one provider, in one mode: the port every adapter fills. Adapters never touch the database. Every call has a
 * time-out, reads a bounded answer, and fails with a `ProviderError` whose kind says what is known.
 */
export interface Provider {
  /** True when a second create under one reference is surely rejected, so that an absent reference may be sent again. */
  readonly rejectsDuplicates: boolean;
  /** Makes the hosted payment. Throws `refused` when the provider surely did not and will not make it. */
  create(order: PaymentOrder, options: CallOptions): Promise<HostedPayment>;
  /** What became of a reference, with everything taken under it. */
  verify(reference: string, options: CallOptions): Promise<Verification>;
  /**
   * Proves the credentials by one harmless call that only their owner is answered. Throws `refused` when the provider does not accept
   * them; anything else that goes wrong says nothing of them.
   */
  checkCredentials(options: CallOptions): Promise<void>;
  /** Reads a notification; undefined when its signature does not hold. Never throws. */
  readNotification(headers: Record<string, string | string[] | undefined>, body: Buffer): Notification | undefined;
}

export interface CallOptions {
  timeoutMs: number;
}

/** What a tenant enters to connect an account, by the provider's own names. */
export type Credentials = Record<string, string>;

/** Which credentials a provider asks for. */
export interface CredentialsForm {
  /** JSON Schema of them, in the formats of the API: all of them required, no others taken. */
  schema: Record<string, unknown>;
  /** What can be seen to be wrong with them without asking the provider; those of the other mode are. By name, empty when nothing is. */
  problemsOf(credentials: Credentials, mode: 'live' | 'test'): Fields;
}

/** A provider we speak to. */
export interface Adapter {
  /** Opens an account: credentials as the tenant entered them, the provider's base address from the operator. */
  open(account: { credentials: Credentials; baseUrl: string }): Provider;
  credentials: CredentialsForm;
}

/**
 * `refused`: surely nothing happened and repeating will not help. `duplicate`: the reference was accepted before. `retryable`: surely
 * nothing happened, later may work. `unknown`: it may have happened.
 */
export type ProviderErrorKind = 'refused' | 'duplicate' | 'retryable' | 'unknown';

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  /** For logs and timelines: which call, at what stage. */
  readonly stage: string;

  constructor(kind: ProviderErrorKind, stage: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProviderError';
    this.kind = kind;
    this.stage = stage;
  }
}
