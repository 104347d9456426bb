import type { SpanQuery } from './settlement.ts';

export interface PaymentOrder {
  /** Unique for ever. */
  reference: string;
  amountKobo: number;
  currency: string;
  email: string;
  name: string | null;
  phone: string | null;
  description: string | null;
  callbackUrl: string;
  /** A link must not take money for longer. */
  expiresInMs: number;
  /** Part of the metadata where it is not null, which only the sandbox reads. */
  testScenario: string | null;
}

export interface HostedPayment {
  url: string;
  /** Null: for ever. */
  linkExpiresInMs: number | null;
}

/**
 * `absent`: unknown to the provider. `retrying`: the last try failed, the page takes another.
 * `declined`: failed for good. `ended`: the link takes no more money. `unknown`: a status our table
 * lacks.
 */
export interface Verification {
  state: 'absent' | 'unpaid' | 'retrying' | 'declined' | 'ended' | 'paid' | 'unknown';
  status: string;
  /** Also those reversed since. */
  captures: ProviderCapture[];
  /** Its refunds say how much. */
  hasRefunds: boolean;
  /** Not in our tables: `channel "barter"`. */
  unknownWords: string[];
  failureMessage: string | null;
  raw: string;
}

export interface ProviderCapture {
  providerPaymentId: string;
  reference: string;
  /** Without a fee that the payer bore. */
  amountKobo: number;
  /** On top. A payment that does not pay its charge goes back with it. */
  payerFeeKobo?: number;
  /** Where it is not stated how much of that is a fee on top. */
  payableKobo?: number;
  /** Null while unstated. */
  feeKobo: number | null;
  /** The provider took all of it back. */
  isReversed?: boolean;
  currency: string;
  channel: Channel;
  /** Null: not stated. */
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

/** By when they were begun. */
export interface PaymentsQuery extends SpanQuery {
  /** Payments whose money is still there are enough. */
  paidOnly?: boolean;
}

/** It tells whom to ask about: only one of id and reference must be stated. */
export interface ListedPayment {
  providerPaymentId: string | null;
  reference: string;
  /** False: a status our table lacks. */
  isPaid: boolean;
  isReversed?: boolean;
  amountKobo: number | null;
  /** Paid, or else begun. */
  at: Date | null;
}

/** A paid payment that was not made through this service, with who paid it. */
export interface PastPayment {
  verification: Verification;
  email: string | null;
  name: string | null;
  phone: string | null;
}
