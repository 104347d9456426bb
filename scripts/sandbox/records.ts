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
  /**
   * Every part of the credentials, by the name a connection stores it under; the secret key is
   * among them.
   */
  credentials: Record<string, string>;
  notificationUrl: string | null;
  /** Whether refunds are notified, where a provider does so only on request. */
  notifiesRefunds: boolean;
  createdAt: Date;
}

/** The account behind a call. */
export interface Caller extends Account {
  /** When the token it called with expires; null where it called with its secret key. */
  tokenExpiresAt: Date | null;
  /** Null where the call is not counted. */
  arrivalId: number | null;
  /** What a verify by reference asks for: the payment or the newest attempt. */
  verified: Payment | undefined;
}

/** A create or verify request, to be counted before anything can go wrong with it. */
export interface Arrival {
  kind: 'create' | 'verify';
  reference: string | undefined;
}

/**
 * `reversing` and `reversed` say that all of the money is on its way back, or back; a partial
 * refund leaves a payment `paid`.
 */
export type PaymentStatus = 'open' | 'failed' | 'paid' | 'reversing' | 'reversed';

/** What an account asked a customer to pay. The amount paid may differ from the amount asked. */
export interface Payment {
  id: number;
  accountId: number;
  /**
   * `payment`: page and transaction in one, alone under its reference. Where a transaction begins
   * only when a customer tries, a `link` is  the page, and each try at it is an `attempt`; any
   * number of both may share a reference. No money is ever on a `link`.
   */
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
  /**
   * What completed refunds sent back and the provider took back by itself. Money lost in a dispute
   * is not counted here.
   */
  refundedKobo: number;
  /** The part of it that the provider took back by itself. */
  takenKobo: number;
  channel: Channel | null;
  gatewayResponse: string | null;
  attempts: number;
  nextRefund: RefundEnding;
  /** When a refund of it takes its next step; null: none is under way. */
  refundDueAt: Date | null;
  settlementId: number | null;
  /** What its line in a settlement states instead of what was paid; null: just that. */
  lineKobo: number | null;
  /** What its line states instead of the fee; null: just that. */
  lineFeeKobo: number | null;
  /** The currency its line states instead of naira; null: just that. */
  lineCurrency: string | null;
  createdAt: Date;
  paidAt: Date | null;
  /** From here on the page takes no money; null: never. */
  linkExpiresAt: Date | null;
}

/** A payment or link with its account: what it takes to pay there. */
export interface PayPage extends Payment {
  account: Account;
  /** The number of an attempt made at this link now. Null at a payment, which needs none. */
  attemptId: number | null;
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
  createdAt: Date;
  updatedAt: Date;
  resolvedAt: Date | null;
}

export type SettlementStatus = 'pending' | 'landed' | 'failed';

/**
 * One payout. `landedKobo` is what reached the bank, or is to: gross − fees − deductions − the
 * shortfall that was asked for.
 */
export interface Settlement {
  id: number;
  accountId: number;
  status: SettlementStatus;
  lineCount: number;
  /** What its lines state, added up. */
  grossKobo: number;
  feeKobo: number;
  /** The part of the fees that is stamp duty, where lines state it. */
  stampDutyKobo: number;
  /** All that was deducted. */
  deductionsKobo: number;
  /** The part of the deductions behind which there is no refund and no dispute. */
  levyKobo: number;
  landedKobo: number;
  createdAt: Date;
  updatedAt: Date;
  /** When its money reached the bank; null while it has not. */
  landedAt: Date | null;
}

/** Money owed back for a completed refund or a lost dispute. */
export interface Deduction {
  id: number;
  paymentId: number;
  amountKobo: number;
  refundId: number | null;
  disputeId: number | null;
}
