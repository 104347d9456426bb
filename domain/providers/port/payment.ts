import type { SpanQuery } from './settlement.ts';

export interface PaymentOrder {
  /** Our own reference for this attempt, unique for ever. */
  reference: string;
  amountKobo: number;
  currency: string;
  email: string;
  name: string | null;
  phone: string | null;
  description: string | null;
  callbackUrl: string;
  /** How long the charge can still be paid. A link must not take money for longer. */
  expiresInMs: number;
}

export interface HostedPayment {
  url: string;
  /** How long that page takes money; null: it never expires. */
  linkExpiresInMs: number | null;
}

/**
 * A provider's answer about one reference. `absent`: it knows no such payment. `unpaid`: known, not
 * final. `retrying`: the payer's last try failed, and the page takes another until its link
 * expires. `declined`: failed for good. `ended`: its link takes no more money. `paid`: see
 * `captures`. `unknown`: a status that our table does not list.
 */
export interface Verification {
  state: 'absent' | 'unpaid' | 'retrying' | 'declined' | 'ended' | 'paid' | 'unknown';
  status: string;
  /** Every capture under the reference, also those reversed since. */
  captures: ProviderCapture[];
  /** True: the provider says that money was or is being refunded. Its refunds say how much. */
  hasRefunds: boolean;
  /** Values that our tables do not list, for a person to see: `channel "barter"`. */
  unknownWords: string[];
  failureMessage: string | null;
  raw: string;
}

export interface ProviderCapture {
  providerPaymentId: string;
  reference: string;
  /** Without a fee that the payer bore. */
  amountKobo: number;
  /** What the payer paid on top. A payment that does not pay its charge goes back with it. */
  payerFeeKobo?: number;
  /** What the payer was asked for, where it is not stated how much of that is a fee on top. */
  payableKobo?: number;
  /** The provider's fee; null while unstated. */
  feeKobo: number | null;
  /** True: the provider took all of it back from the merchant since. */
  isReversed?: boolean;
  currency: string;
  channel: Channel;
  /** `test` or `live`; null where the provider does not state it. */
  mode: string | null;
  createdAt: Date | null;
  capturedAt: Date | null;
}

export const channels = ['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money', 'other'] as const;
export type Channel = (typeof channels)[number];

export interface PaidPayment {
  providerPaymentId: string;
  reference: string;
  /** No record about the payment is older. */
  capturedAt: Date;
}

/** Payments of a period, by when they were begun. */
export interface PaymentsQuery extends SpanQuery {
  /** True: those paid in full whose money is still there are enough: the list is shorter. */
  paidOnly?: boolean;
}

/**
 * A payment in the list of an account. It tells whom to ask about, so all but its id and its
 * reference may be missing; one of the two is stated.
 */
export interface ListedPayment {
  providerPaymentId: string | null;
  /** The reference it was made under; empty where the row names none. */
  reference: string;
  /** False: its status is one that our table does not list. */
  isPaid: boolean;
  /** True: all of it went back since. */
  isReversed?: boolean;
  amountKobo: number | null;
  /** When it was paid, or else begun; null where no time is stated. */
  at: Date | null;
}
