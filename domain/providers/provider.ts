import type { Credentials } from '../shared/credentials.ts';
import type { CallOptions, ProviderCapture } from './capture.ts';
import type { SettlementCalls } from './settlements.ts';

export { type CallOptions, type Channel, channels, type ProviderCapture } from './capture.ts';

/**
 * A provider's answer about one reference. `absent`: it knows no such payment. `unpaid`: known, not
 * final. `retrying`: the payer's last try failed, and the page takes another until its link
 * expires. `declined`: failed for good. `ended`: its link takes no more money. `paid`: see
 * `captures`. `unknown`: a status that our table does not list.
 */
export interface Verification {
  state: 'absent' | 'unpaid' | 'retrying' | 'declined' | 'ended' | 'paid' | 'unknown';
  /** The provider's own status. */
  status: string;
  /** Every capture under the reference, also those reversed since. */
  captures: ProviderCapture[];
  /** True: the provider says that money was or is being refunded. Its refunds say how much. */
  hasRefunds: boolean;
  /**
   * Values, besides the status, that our tables do not list: `channel "barter"`. A person sees
   * them.
   */
  unknownWords: string[];
  /** Why the payment was declined or the last try failed, for people. */
  failureMessage: string | null;
  /** The raw answer, kept as evidence. */
  raw: string;
}

/** What a hosted payment is created with. */
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

/** A captured payment, as its provider finds it. */
export interface PaidPayment {
  providerPaymentId: string;
  /** The reference it was made under. */
  reference: string;
  /** No record about the payment is older. */
  capturedAt: Date;
}

/** What a refund is created with. */
export interface RefundOrder extends PaidPayment {
  /** Our id of the refund (`ref_…`), which the provider stores with it. */
  refundId: string;
  amountKobo: number;
  reason: string;
}

/** Which refund to find. */
export interface WantedRefund {
  refundId: string;
  /** The provider's id; null while we do not know it. */
  providerRefundId: string | null;
  payment: PaidPayment;
}

/** A refund, as the provider states it. */
export interface ProviderRefund {
  providerRefundId: string;
  /**
   * Our id, where its record holds one; null: it was created elsewhere, as in the provider's
   * dashboard.
   */
  refundId: string | null;
  amountKobo: number;
  /**
   * `attention`: somebody must act at the provider. `unknown`: a status that our table does not
   * list.
   */
  state: 'processing' | 'attention' | 'completed' | 'failed' | 'unknown';
  /** The provider's own status. */
  status: string;
  /** Why it failed or needs attention, for people; null where the provider does not say. */
  message: string | null;
  /** When it completed; null where it has not, or no time is given. */
  completedAt: Date | null;
  /** The raw record, kept as evidence. */
  raw: string;
}

/** Which page of an account's refunds. */
export interface AccountRefundsQuery {
  /** Refunds created since, and maybe some before. */
  from: Date;
  /** From 1 on. */
  page: number;
}

/** A refund in the list of an account. How it stands is asked for by its id. */
export interface ListedRefund {
  providerRefundId: string;
  /** Null where the list does not name it. */
  providerPaymentId: string | null;
  /** Our id, where the record holds one. */
  refundId: string | null;
  createdAt: Date | null;
}

/** A page of an account's refunds, as a rule the newest first. */
export interface AccountRefunds {
  rows: ListedRefund[];
  /** How many refunds the whole list has; undefined where unstated. */
  total: number | undefined;
  /** Whether more pages follow; undefined where unstated. */
  hasMore: boolean | undefined;
}

/** A dispute, as the provider states it. */
export interface ProviderDispute {
  providerDisputeId: string;
  providerPaymentId: string;
  /**
   * `closed`: it ended, and its provider no longer says how. `unknown`: a status that our table
   * does not list.
   */
  state: 'open' | 'won' | 'lost' | 'closed' | 'unknown';
  /** Of one that is closed: true where its payment went back to the payer. */
  isReversed?: boolean;
  /** The provider's own status. */
  status: string;
  /** What is disputed; null where it is not stated. */
  amountKobo: number | null;
  raw: string;
}

/** Which disputes: those of one payment, or all that began since a time. */
export type DisputeQuery = { payment: PaidPayment } | { since: Date };

export type NotificationHeaders = Record<string, string | string[] | undefined>;

/** What a notification says: only what to ask the provider about. */
export interface Notification {
  event: string;
  about: 'payment' | 'refund' | 'dispute' | 'settlement' | 'other';
  /** References of ours that it names. */
  references: string[];
  /** The provider's payment ids that it names, for notifications without a reference of ours. */
  paymentIds: string[];
}

/** What a provider can do, where providers differ. */
export interface Capabilities {
  /**
   * True: it surely rejects a second create under one reference, so a reference it does not know
   * may be sent again.
   */
  rejectsDuplicateReferences: boolean;
  /**
   * Whether more money may come under a reference that is paid. `listed`: as another payment, which
   * lists show. `unlisted`: on top of the first, so a paid reference is checked a few times more.
   */
  paysAgain: 'listed' | 'unlisted' | 'never';
  /**
   * True: a refund sent again under one id surely pays once. Otherwise a refund of unknown outcome
   * is only looked up.
   */
  idempotentRefunds: boolean;
  /**
   * `of_payment`: the refunds of one payment can be listed. `of_account`: only those of all
   * payments together, of which a copy is kept.
   */
  refundLists: 'of_payment' | 'of_account';
  /** `none`: it reports disputes by e-mail or on its dashboard, and people enter them. */
  disputes: 'api' | 'none';
  /**
   * `list`: settlements of a period can be listed. `by_payment`: each is found by its notification
   * or by a payment it holds. `none`: there is no way to ask about settlements.
   */
  settlements: 'list' | 'by_payment' | 'none';
  /**
   * Set: the payments of a period can be listed, by when they were begun; one may be paid this long
   * afterwards. Null: they cannot.
   */
  paymentLists: { paidLaterMs: number } | null;
}

/**
 * One tenant's account at one provider, in one mode: the port that every adapter implements.
 * Adapters never touch the database. Every call has a time-out, reads a bounded answer, and fails
 * with a `ProviderError` whose kind says what is known.
 */
export interface Provider extends SettlementCalls {
  readonly capabilities: Capabilities;
  /** Creates the hosted payment. Throws `refused` when the provider surely did not and will not. */
  create(order: PaymentOrder, options: CallOptions): Promise<HostedPayment>;
  /** What became of a reference, with every capture under it. */
  verify(reference: string, options: CallOptions): Promise<Verification>;
  /**
   * Refunds a payment. Throws `refused` when it surely will not happen, `duplicate` when the id was
   * accepted before.
   */
  refund(order: RefundOrder, options: CallOptions): Promise<ProviderRefund>;
  /**
   * The refund's current state; undefined: the provider surely has none under this id. Throws
   * where refunds are listed by account and the provider's id is null.
   */
  findRefund(wanted: WantedRefund, options: CallOptions): Promise<ProviderRefund | undefined>;
  /** Every refund of a payment, whoever created it. Null: they are listed by account. */
  listRefunds: ((payment: PaidPayment, options: CallOptions) => Promise<ProviderRefund[]>) | null;
  /** A page of the account's refunds. Null: they are listed by payment. */
  listAccountRefunds:
    | ((query: AccountRefundsQuery, options: CallOptions) => Promise<AccountRefunds>)
    | null;
  /** Disputes in their current state. Empty where the provider has no such list. */
  listDisputes(query: DisputeQuery, options: CallOptions): Promise<ProviderDispute[]>;
  /**
   * Proves the credentials by one harmless call that needs them. Throws `refused` when the provider
   * does not accept them; any other error says nothing about them.
   */
  checkCredentials(options: CallOptions): Promise<void>;
  /**
   * Reads a notification; undefined when its signature is not valid. In test mode it may be one
   * that the provider does not sign: a hint of what to ask about. Never throws.
   */
  readNotification(headers: NotificationHeaders, body: Buffer): Notification | undefined;
}

/**
 * What an account is opened with. The base address comes from the operator, never from a tenant.
 */
export interface Account {
  credentials: Credentials;
  /** Without a slash at its end. */
  baseUrl: string;
  mode: 'live' | 'test';
  clock: () => Date;
}
