import type { CallOptions } from './capture.ts';

/** One page of a list. `next`: an opaque cursor, valid for days; null: this is the last page. */
export interface Page<Row> {
  rows: Row[];
  next: string | null;
}

/** A settlement, as its provider states it. */
export interface ProviderSettlement {
  providerSettlementId: string;
  /**
   * `unknown`: a status that our table does not list. `unclear`: it landed, and an amount of it
   * cannot be read.
   */
  state: 'pending' | 'landed' | 'failed' | 'unknown' | 'unclear';
  /** Why an amount cannot be read; with `unclear` only. */
  unclear?: string;
  /** The provider's own status. */
  status: string;
  /** What the bank receives; null where unstated: then it is the sum of the lines. */
  amountKobo: number | null;
  /** What was deducted for refunds and chargebacks; null where unstated. */
  deductionsKobo: number | null;
  /** The day it is due, as an ISO date; null where unstated. */
  dueOn: string | null;
  /** When the money was sent to the bank; null before. */
  landedAt: Date | null;
  /** The account it was sent to; null where unstated. */
  bank: { name: string | null; accountLast4: string | null } | null;
}

/** A payment in a settlement. */
export interface SettlementLine {
  providerPaymentId: string;
  /** Its reference: ours, or one of the merchant's other business. Empty where there is none. */
  reference: string;
  /** What counts towards the charge, as with a capture. */
  amountKobo: number;
  /** The provider's fee; null where unstated. The net is `amountKobo - feeKobo`. */
  feeKobo: number | null;
  /**
   * Why its amounts cannot be read: no amount is stated, or it is in another currency. They are 0
   * and null then. Absent: they are clear.
   */
  unclear?: string;
}

/**
 * A payment in the list of an account. It tells whom to ask about, so all but its id and its
 * reference may be missing; one of the two is stated.
 */
export interface ListedPayment {
  /** Null where the row does not name it. */
  providerPaymentId: string | null;
  /** The reference it was made under; empty where the row names none. */
  reference: string;
  /** False: its status is one that our table does not list. */
  isPaid: boolean;
  /** True: all of it went back since. */
  isReversed?: boolean;
  /** What counts towards its charge, as far as the row tells; null where it is not clear. */
  amountKobo: number | null;
  /** When it was paid, or else begun; null where no time is stated. */
  at: Date | null;
}

/**
 * A period to list: everything in it, and maybe more around it. `cursor`: null for the first page.
 */
export interface SpanQuery {
  from: Date;
  to: Date;
  cursor: string | null;
}

/** Payments of a period, by when they were begun. */
export interface PaymentsQuery extends SpanQuery {
  /**
   * True: those paid in full whose money is still there are enough, so that the list is shorter.
   */
  paidOnly?: boolean;
}

export interface LinesQuery {
  providerSettlementId: string;
  cursor: string | null;
}

/** The part of the port about settlements and lists of payments. */
export interface SettlementCalls {
  /** Settlements of a period, in any state. Empty where the provider has no such list. */
  listSettlements(query: SpanQuery, options: CallOptions): Promise<Page<ProviderSettlement>>;
  /**
   * The payments of a settlement, at most 10,000 a page. Throws `unknown` where lines cannot be
   * told apart.
   */
  listLines(query: LinesQuery, options: CallOptions): Promise<Page<SettlementLine>>;
  /**
   * The settlement that holds a payment; undefined while no single one does, or where settlements
   * are listed.
   */
  findSettlement(
    providerPaymentId: string,
    options: CallOptions,
  ): Promise<ProviderSettlement | undefined>;
  /** The settlement in the body of a signed notification, if any. Never throws. */
  readSettlement(body: string): ProviderSettlement | undefined;
  /**
   * Captured payments that were begun in a period, whatever became of them since, and those of a
   * status that our table does not list. A row that names neither id nor reference is left out.
   */
  listPayments(query: PaymentsQuery, options: CallOptions): Promise<Page<ListedPayment>>;
}
