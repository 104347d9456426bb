import type { Credentials } from '../../shared/credentials.ts';
import type { DisputeQuery, DisputeResponse, ProviderDispute } from './dispute.ts';
import type {
  HostedPayment,
  ListedPayment,
  PaidPayment,
  PastPayment,
  PaymentOrder,
  PaymentsQuery,
  Verification,
} from './payment.ts';
import type {
  AccountRefunds,
  AccountRefundsQuery,
  PastRefund,
  ProviderRefund,
  RefundOrder,
  WantedRefund,
} from './refund.ts';
import type {
  LinesQuery,
  Page,
  PastPage,
  ProviderSettlement,
  SettlementLine,
  SpanQuery,
} from './settlement.ts';

export interface CallOptions {
  timeoutMs: number;
  /** Absent: as long as one. */
  totalMs?: number;
  /** Before an HTTP call. Throws `limited`. */
  spend?: (stage: string) => Promise<void>;
}

export type Ask<Asked, Answered> = (asked: Asked, options: CallOptions) => Promise<Answered>;

/** The base address comes from the operator, never from a tenant. */
export interface Account {
  credentials: Credentials;
  baseUrl: string;
  mode: 'live' | 'test';
  clock: () => Date;
}

export type NotificationHeaders = Record<string, string | string[] | undefined>;

/** Only what to ask the provider about. */
export interface Notification {
  event: string;
  about: 'payment' | 'refund' | 'dispute' | 'settlement' | 'other';
  references: string[];
  /** Without a reference of ours. */
  paymentIds: string[];
}

export interface Capabilities {
  /** A reference that it does not know may be sent again. */
  rejectsDuplicateReferences: boolean;
  /**
   * More money under a paid reference comes as another payment (`listed`), or on top (`unlisted`).
   */
  paysAgain: 'listed' | 'unlisted' | 'never';
  /** Sent again under one id, it pays once. */
  idempotentRefunds: boolean;
  /** `of_account`: a copy of the list is kept. */
  refundLists: 'of_payment' | 'of_account';
  /** `api`: they are listed and answered. `none`: people enter them, and answer there. */
  disputes: 'api' | 'none';
  /** `by_payment`: by its notification or a payment it holds. */
  settlements: 'list' | 'by_payment' | 'none';
  /** One may be paid this long after it was begun. */
  paymentLists: { paidLaterMs: number } | null;
}

/**
 * The port of every adapter. Adapters never touch the database. Calls have time-outs, read bounded
 * answers and fail with a `ProviderError`.
 */
export interface Provider extends SettlementCalls {
  readonly capabilities: Capabilities;
  /** Throws `refused`. */
  create: Ask<PaymentOrder, HostedPayment>;
  verify: Ask<string, Verification>;
  /** Throws `refused`, or `duplicate` when the id was accepted. */
  refund: Ask<RefundOrder, ProviderRefund>;
  /** Undefined: surely none. Throws where refunds are listed by account and its id is null. */
  findRefund: Ask<WantedRefund, ProviderRefund | undefined>;
  /** Null: listed by account. */
  listRefunds: Ask<PaidPayment, ProviderRefund[]> | null;
  /** Null: listed by payment. */
  listAccountRefunds: Ask<AccountRefundsQuery, AccountRefunds> | null;
  /** The paid ones. Null: what came before the service is not read from this provider. */
  listPastPayments: Ask<SpanQuery, PastPage<PastPayment>> | null;
  listPastRefunds: Ask<SpanQuery, PastPage<PastRefund>> | null;
  listDisputes: Ask<DisputeQuery, ProviderDispute[]>;
  /** Throws `refused`. After `unknown` the dispute itself says whether it was answered. */
  respondToDispute: Ask<DisputeResponse, void>;
  /** Throws `refused`; other errors say nothing. */
  checkCredentials(options: CallOptions): Promise<void>;
  /** Undefined: not signed; in test mode it may be a mere hint. Never throws. */
  readNotification(headers: NotificationHeaders, body: Buffer): Notification | undefined;
}

export interface SettlementCalls {
  /** In any state. Empty where there is no list. */
  listSettlements: Ask<SpanQuery, Page<ProviderSettlement>>;
  /** At most 10,000 a page. Throws `unknown`. */
  listLines: Ask<LinesQuery, Page<SettlementLine>>;
  /** Undefined: no single one, or they are listed. */
  findSettlement: Ask<string, ProviderSettlement | undefined>;
  /** In a signed notification. Never throws. */
  readSettlement(body: string): ProviderSettlement | undefined;
  /** Whatever became of them, and those of a status our table lacks. */
  listPayments: Ask<PaymentsQuery, Page<ListedPayment>>;
}
