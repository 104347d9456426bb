import type { Credentials } from '../../shared/credentials.ts';
import type { DisputeQuery, ProviderDispute } from './dispute.ts';
import type {
  HostedPayment,
  ListedPayment,
  PaidPayment,
  PaymentOrder,
  PaymentsQuery,
  Verification,
} from './payment.ts';
import type {
  AccountRefunds,
  AccountRefundsQuery,
  ProviderRefund,
  RefundOrder,
  WantedRefund,
} from './refund.ts';
import type {
  LinesQuery,
  Page,
  ProviderSettlement,
  SettlementLine,
  SpanQuery,
} from './settlement.ts';

/** How long one question to a provider may take, however many HTTP calls it needs. */
export interface CallOptions {
  /** One HTTP call. */
  timeoutMs: number;
  /** All of them together; absent: as long as one. */
  totalMs?: number;
  /** Takes an HTTP call from the budget before it is sent. Throws `limited` when none is left. */
  spend?: (stage: string) => Promise<void>;
}

/** A question to a provider. */
export type Ask<Asked, Answered> = (asked: Asked, options: CallOptions) => Promise<Answered>;

/** An account to open. The base address comes from the operator, never from a tenant. */
export interface Account {
  credentials: Credentials;
  /** Without a slash at its end. */
  baseUrl: string;
  mode: 'live' | 'test';
  clock: () => Date;
}

export type NotificationHeaders = Record<string, string | string[] | undefined>;

/** What a notification says: only what to ask the provider about. */
export interface Notification {
  event: string;
  about: 'payment' | 'refund' | 'dispute' | 'settlement' | 'other';
  references: string[];
  /** The provider's, for notifications without a reference of ours. */
  paymentIds: string[];
}

export interface Capabilities {
  /** True: it rejects a second create, so a reference it does not know may be sent again. */
  rejectsDuplicateReferences: boolean;
  /**
   * Whether more money may come under a reference that is paid. `listed`: as another payment, which
   * lists show. `unlisted`: on top of the first, so a paid reference is checked a few times more.
   */
  paysAgain: 'listed' | 'unlisted' | 'never';
  /** True: a refund sent again under one id pays once. False: it is only looked up. */
  idempotentRefunds: boolean;
  /** `of_account`: only those of all payments together are listed, and a copy of them is kept. */
  refundLists: 'of_payment' | 'of_account';
  /** `none`: it reports disputes by e-mail or on its dashboard, and people enter them. */
  disputes: 'api' | 'none';
  /** `by_payment`: each is found by its notification or by a payment it holds. */
  settlements: 'list' | 'by_payment' | 'none';
  /** By when payments were begun; one may be paid this long afterwards. Null: there are none. */
  paymentLists: { paidLaterMs: number } | null;
}

/**
 * One tenant's account at one provider, in one mode: the port that every adapter implements.
 * Adapters never touch the database. Every call has a time-out, reads a bounded answer, and fails
 * with a `ProviderError` whose kind says what is known.
 */
export interface Provider extends SettlementCalls {
  readonly capabilities: Capabilities;
  /** Throws `refused` when the provider surely did not and will not create it. */
  create: Ask<PaymentOrder, HostedPayment>;
  verify: Ask<string, Verification>;
  /** Throws `refused` when it surely will not happen, `duplicate` when the id was accepted. */
  refund: Ask<RefundOrder, ProviderRefund>;
  /**
   * Undefined: the provider surely has none under this id. Throws where refunds are listed by
   * account and the provider's id is null.
   */
  findRefund: Ask<WantedRefund, ProviderRefund | undefined>;
  /** Every refund of a payment, whoever created it. Null: they are listed by account. */
  listRefunds: Ask<PaidPayment, ProviderRefund[]> | null;
  /** A page of the account's refunds. Null: they are listed by payment. */
  listAccountRefunds: Ask<AccountRefundsQuery, AccountRefunds> | null;
  listDisputes: Ask<DisputeQuery, ProviderDispute[]>;
  /** Throws `refused` when the provider does not accept them; other errors say nothing. */
  checkCredentials(options: CallOptions): Promise<void>;
  /**
   * Undefined when its signature is not valid. In test mode it may be one that the provider does
   * not sign: a hint of what to ask about. Never throws.
   */
  readNotification(headers: NotificationHeaders, body: Buffer): Notification | undefined;
}

export interface SettlementCalls {
  /** Settlements of a period, in any state. Empty where the provider has no such list. */
  listSettlements: Ask<SpanQuery, Page<ProviderSettlement>>;
  /** At most 10,000 a page. Throws `unknown` where lines cannot be told apart. */
  listLines: Ask<LinesQuery, Page<SettlementLine>>;
  /** Undefined while no single one holds the payment, or where settlements are listed. */
  findSettlement: Ask<string, ProviderSettlement | undefined>;
  /** The settlement in the body of a signed notification, if any. Never throws. */
  readSettlement(body: string): ProviderSettlement | undefined;
  /**
   * Captured payments that were begun in a period, whatever became of them since, and those of a
   * status that our table does not list. A row that names neither id nor reference is left out.
   */
  listPayments: Ask<PaymentsQuery, Page<ListedPayment>>;
}
