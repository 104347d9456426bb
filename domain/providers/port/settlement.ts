/** A period to list: everything in it, and maybe more around it. */
export interface SpanQuery {
  from: Date;
  to: Date;
  /** Null for the first page. */
  cursor: string | null;
}

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

export interface LinesQuery {
  providerSettlementId: string;
  cursor: string | null;
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
  /** Why its amounts cannot be read. They are 0 and null then. Absent: they are clear. */
  unclear?: string;
}
