import type { CallOptions, ProviderCapture } from './capture.ts';

/** One page of a list. `next`: an opaque cursor, valid for days; null: this is the last page. */
export interface Page<Row> {
  rows: Row[];
  next: string | null;
}

/** A settlement, as its provider states it. */
export interface ProviderSettlement {
  providerSettlementId: string;
  /** `unknown`: a status that our table does not list. */
  state: 'pending' | 'landed' | 'failed' | 'unknown';
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
   * The payments of a settlement, at most 10,000 a page. Throws `unknown` where a line is not
   * clear.
   */
  listLines(query: LinesQuery, options: CallOptions): Promise<Page<SettlementLine>>;
  /**
   * The settlement that holds a payment; undefined while none does, or where settlements are
   * listed.
   */
  findSettlement(
    providerPaymentId: string,
    options: CallOptions,
  ): Promise<ProviderSettlement | undefined>;
  /** The settlement in the body of a signed notification, if any. Never throws. */
  readSettlement(body: string): ProviderSettlement | undefined;
  /** Captured payments that were begun in a period, whatever became of them since. */
  listPayments(query: PaymentsQuery, options: CallOptions): Promise<Page<ProviderCapture>>;
}
