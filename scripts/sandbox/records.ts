import type { TestScenario } from '../../domain/shared/test-scenarios.ts';

export type ProviderName = 'paystack' | 'flutterwave' | 'monnify';

/** The channels a customer can pay through, in the words of the control side. */
export type Channel = 'card' | 'bank_transfer' | 'ussd' | 'qr' | 'mobile_money' | 'other';

/** A merchant's account at a provider. Its credentials identify it. */
export interface Account {
  id: number;
  provider: ProviderName;
  slot: string;
  mode: 'test' | 'live';
  secretKey: string;
  /** Every part of the credentials, by the name a connection stores it under. */
  credentials: Record<string, string>;
  notificationUrl: string | null;
  /** Whether refunds are notified, where a provider does so only on request. */
  notifiesRefunds: boolean;
  createdAt: Date;
}

/** `reversing`, `reversed`: all of the money goes or went back; a partial refund leaves `paid`. */
export type PaymentStatus = 'open' | 'failed' | 'paid' | 'reversing' | 'reversed';

/** What an account asked a customer to pay. The amount paid may differ from the amount asked. */
export interface Payment {
  id: number;
  accountId: number;
  /** A `payment` is alone under its reference; a `link` is a page, each try at it an `attempt`. */
  kind: 'payment' | 'link' | 'attempt';
  /** The link an attempt was made at. */
  linkId: number | null;
  reference: string;
  accessCode: string;
  email: string;
  callbackUrl: string | null;
  metadata: string | null;
  customerName: string | null;
  customerPhone: string | null;
  description: string | null;
  status: PaymentStatus;
  requestedKobo: number;
  paidKobo: number | null;
  feeKobo: number | null;
  /** The part of what was paid that is a fee on top of the price, which the customer bore. */
  payerFeeKobo: number;
  reversedKobo: number;
  reversingKobo: number;
  /** Back by refunds and by the provider itself; not what disputes lost. */
  refundedKobo: number;
  /** The part of it that the provider took back by itself. */
  takenKobo: number;
  channel: Channel | null;
  gatewayResponse: string | null;
  attempts: number;
  nextRefund: RefundEnding;
  /** The settlement that pays it out; null: it waits for one. */
  settlementId: number | null;
  /** What its line in a settlement states instead of what was paid; null: just that. */
  lineKobo: number | null;
  lineFeeKobo: number | null;
  lineCurrency: string | null;
  createdAt: Date;
  paidAt: Date | null;
  /** From here on the page takes no money; null: never. */
  linkExpiresAt: Date | null;
}

export type RefundEnding = 'completed' | 'failed' | 'needs-attention';

export interface Refund {
  id: number;
  accountId: number;
  paymentId: number;
  amountKobo: number;
  /** The merchant's own, where the provider takes one; unique in an account. */
  reference: string | null;
  status: 'pending' | 'processing' | RefundEnding;
  ending: RefundEnding;
  /** When it takes its next step; null once it has ended. */
  dueAt: Date | null;
  customerNote: string | null;
  merchantNote: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface Dispute {
  id: number;
  accountId: number;
  paymentId: number;
  amountKobo: number;
  resolution: 'won' | 'lost' | null;
  /** The merchant said that the claim is wrong, and the bank has not decided. */
  isContested: boolean;
  /** What the merchant asked to upload last, and whether it is here. */
  file: { name: string; isHere: boolean } | null;
  createdAt: Date;
  updatedAt: Date;
  resolvedAt: Date | null;
}

export type SettlementStatus = 'pending' | 'landed' | 'failed';

/** One payout. `landedKobo`: gross − fees − deductions − the shortfall that was asked for. */
export interface Settlement {
  id: number;
  accountId: number;
  status: SettlementStatus;
  /** Its lines, oldest first. */
  paymentIds: number[];
  grossKobo: number;
  feeKobo: number;
  /** The part of the fees that is stamp duty, where lines state it. */
  stampDutyKobo: number;
  deductionsKobo: number;
  /** The part of the deductions behind which there is no refund and no dispute. */
  levyKobo: number;
  landedKobo: number;
  createdAt: Date;
  updatedAt: Date;
  /** When its money reached the bank; null while it has not. */
  landedAt: Date | null;
}

/** Money the merchant owes back: refunded, lost in a dispute, or taken by the provider. */
export interface Deduction {
  id: number;
  accountId: number;
  paymentId: number;
  amountKobo: number;
  refundId: number | null;
  disputeId: number | null;
  /** The settlement it was taken from, 0 for the merchant's wallet; null: it waits for one. */
  settlementId: number | null;
  createdAt: Date;
}

export interface Notification {
  id: number;
  accountId: number;
  /** The payment it is about; null where it is about a settlement. */
  paymentId: number | null;
  /** Its exact bytes; null once it was delivered. */
  body: string | null;
  tries: number;
  /** When it is sent (again); null once it was delivered or given up. */
  dueAt: Date | null;
  deliveredAt: Date | null;
  createdAt: Date;
}

/** What calls need besides the credentials, at some providers. */
export type AccessToken = { id: number; accountId: number; token: string; expiresAt: Date };

/** What is going to happen to a payment by itself. */
export interface Scenario {
  id: number;
  paymentId: number;
  name: TestScenario;
  /** How many of its steps. */
  done: number;
  /** When it takes its next step; null after the last. */
  dueAt: Date | null;
}

/** A reference that an account asked to create a payment under. */
export type AskedReference = { id: number; accountId: number; reference: string };

export type Count =
  | ('creates' | 'distinct_references' | 'resent_after_accept')
  | ('verifies' | 'captures' | 'refunds' | 'notifications');

/** How often a provider was asked for what. */
export type Counts = { id: number; provider: ProviderName } & Record<Count, number>;

/** Everything that is kept, by its kind. */
export interface Documents {
  account: Account;
  payment: Payment;
  refund: Refund;
  dispute: Dispute;
  settlement: Settlement;
  deduction: Deduction;
  notification: Notification;
  scenario: Scenario;
  token: AccessToken;
  reference: AskedReference;
  counts: Counts;
}
