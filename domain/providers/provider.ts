import type { CallOptions, ProviderCapture } from './capture.ts';
import type { Payouts } from './payouts.ts';

export { type CallOptions, type Channel, channels, type ProviderCapture } from './capture.ts';

/**
 * A provider's answer about one reference.
 * `absent`: it knows no such payment. `unpaid`: known, nothing final. `retrying`: the payer's last try failed, and the page takes another
 * until its link ends. `declined`: failed for good. `ended`: its link takes no money any more. `paid`: see `captures`. `unknown`: a
 * status no table of ours holds; `status` says which.
 */
export interface Verification {
  state: 'absent' | 'unpaid' | 'retrying' | 'declined' | 'ended' | 'paid' | 'unknown';
  /** The provider's own word for it. */
  status: string;
  /** Every capture under the reference, reversed ones included: they were taken first. */
  captures: ProviderCapture[];
  /** True: the provider says that money of it went back, or is on its way. Its list of refunds says how much. */
  hasRefunds: boolean;
  /** Words no table of ours holds, besides the status: `channel "barter"`. Kept, and shown to a person. */
  unknownWords: string[];
  /** Plain words for a declined payment, or for the try that failed. */
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
  /** How long the charge can still be paid. A link must not take money for longer. */
  expiresInMs: number;
}

export interface HostedPayment {
  /** The provider's pay page. */
  url: string;
  /** How long that page takes money; null: it never expires. */
  linkExpiresInMs: number | null;
}

/** A payment that was taken, as its provider finds it again. */
export interface PaidPayment {
  providerPaymentId: string;
  /** The reference it was made under. */
  reference: string;
  /** Nothing about it is older. */
  capturedAt: Date;
}

/** What a provider is asked to send back. */
export interface RefundOrder extends PaidPayment {
  /** Our own id of the refund (`ref_…`), which the provider keeps with it. */
  refundId: string;
  amountKobo: number;
  reason: string;
}

/** Which refund is looked for. */
export interface WantedRefund {
  refundId: string;
  /** The provider's own id; null while it has not told us. */
  providerRefundId: string | null;
  payment: PaidPayment;
}

/** Money going back, as the provider states it. */
export interface ProviderRefund {
  providerRefundId: string;
  /** Our id, where its record carries one; null: it was begun elsewhere, in the provider's own dashboard for instance. */
  refundId: string | null;
  amountKobo: number;
  /** `attention`: it stands still until somebody acts at the provider. `unknown`: a status no table of ours holds. */
  state: 'processing' | 'attention' | 'completed' | 'failed' | 'unknown';
  /** The provider's own word for it. */
  status: string;
  /** Plain words for one that failed or stands still; null where the provider gives none. */
  message: string | null;
  /** When it completed; null where it has not, or no time is given. */
  completedAt: Date | null;
  /** The raw record, kept as evidence. */
  raw: string;
}

/** A payer's bank taking a payment back, as it stands now. */
export interface ProviderDispute {
  providerDisputeId: string;
  providerPaymentId: string;
  state: 'open' | 'won' | 'lost' | 'unknown';
  /** The provider's own word for it. */
  status: string;
  /** What is disputed; null where it is not stated. */
  amountKobo: number | null;
  raw: string;
}

/** Which disputes: those of one payment, or all that began since a moment. */
export type DisputeQuery = { payment: PaidPayment } | { since: Date };

export type NotificationHeaders = Record<string, string | string[] | undefined>;

/** What an incoming notification says, once its signature holds: only what to ask about. */
export interface Notification {
  event: string;
  about: 'payment' | 'refund' | 'dispute' | 'settlement' | 'other';
  /** References of ours it speaks of; empty when it names none. */
  references: string[];
  /** The provider's own payment ids it speaks of, for notifications that carry no reference of ours. */
  paymentIds: string[];
}

/** What a provider can do, where providers differ. */
export interface Capabilities {
  /**
   * True: it surely rejects a second create under one reference, so a reference it does not know may
   * be sent again.
   */
  rejectsDuplicateReferences: boolean;
  /**
   * True: a refund sent again under one id surely pays once. Otherwise a refund of unknown outcome is
   * only looked up.
   */
  idempotentRefunds: boolean;
  /** `none`: it reports disputes by e-mail or on its dashboard, and people enter them. */
  disputes: 'api' | 'none';
  /**
   * `list`: settlements of a period can be listed. `by_payment`: each is found by its notification
   * or by a payment it holds. `none`: there is no way to ask about settlements.
   */
  settlements: 'list' | 'by_payment' | 'none';
  /** True: the payments of a period can be listed, so they are audited. */
  paymentLists: boolean;
}

/**
 * One tenant's account at one provider, in one mode: the port that every adapter implements. Adapters
 * never touch the database. Every call has a time-out, reads a bounded answer, and fails with a
 * `ProviderError` whose kind says what is known.
 */
export interface Provider extends Payouts {
  readonly capabilities: Capabilities;
  /** Makes the hosted payment. Throws `refused` when the provider surely did not and will not make it. */
  create(order: PaymentOrder, options: CallOptions): Promise<HostedPayment>;
  /** What became of a reference, with everything taken under it. */
  verify(reference: string, options: CallOptions): Promise<Verification>;
  /** Sends money of a payment back. Throws `refused` when it surely will not be, `duplicate` when the id was accepted before. */
  refund(order: RefundOrder, options: CallOptions): Promise<ProviderRefund>;
  /** The refund as it stands; undefined: the provider surely has none under this id. */
  findRefund(wanted: WantedRefund, options: CallOptions): Promise<ProviderRefund | undefined>;
  /** Every refund of a payment, whoever began it. */
  listRefunds(payment: PaidPayment, options: CallOptions): Promise<ProviderRefund[]>;
  /** Disputes as they stand now. Empty where the provider tells of none by its API: those are entered by hand. */
  listDisputes(query: DisputeQuery, options: CallOptions): Promise<ProviderDispute[]>;
  /**
   * Proves the credentials by one harmless call that only their owner is answered. Throws `refused` when the provider does not accept
   * them; anything else that goes wrong says nothing of them.
   */
  checkCredentials(options: CallOptions): Promise<void>;
  /** Reads a notification; undefined when its signature does not hold. Never throws. */
  readNotification(headers: NotificationHeaders, body: Buffer): Notification | undefined;
}

/** What a tenant enters to connect an account, by the provider's own names. */
export type Credentials = Record<string, string>;

/** What an account is opened with: credentials as the tenant entered them, the provider's base address from the operator. */
export interface Account {
  credentials: Credentials;
  /** Without a slash at its end. */
  baseUrl: string;
  clock: () => Date;
}

/**
 * `refused`: surely nothing happened and repeating will not help. `duplicate`: the reference was accepted before. `retryable`: surely
 * nothing happened, later may work. `limited`: the same, because fewer calls are asked for, by the provider or by our own budget.
 * `unavailable`: nothing was sent, because the circuit breaker is open. `unknown`: it may have happened.
 *
 * `limited` and `unavailable` say nothing of the thing asked about: whatever waits for an answer goes on waiting, and no try is counted.
 */
export type ProviderErrorKind =
  | 'refused'
  | 'duplicate'
  | 'retryable'
  | 'limited'
  | 'unavailable'
  | 'unknown';

export interface ProviderErrorOptions extends ErrorOptions {
  retryAfterMs?: number | null;
}

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  /** For logs and timelines: which call, at what stage. */
  readonly stage: string;
  /** How long whoever limits the calls wants to be left alone; null where nobody said. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: ProviderErrorKind,
    stage: string,
    message: string,
    { retryAfterMs = null, ...options }: ProviderErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'ProviderError';
    this.kind = kind;
    this.stage = stage;
    this.retryAfterMs = retryAfterMs;
  }
}

/** True where nothing was asked of the provider, or it would not be asked just now: no try is counted, and nothing is learnt of its health. */
export function isDeferral({ kind }: Pick<ProviderError, 'kind'>): boolean {
  return kind === 'limited' || kind === 'unavailable';
}
