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

export interface ProviderSettlement {
  providerSettlementId: string;
  /** `unclear`: it landed, and an amount of it cannot be read. */
  state: 'pending' | 'landed' | 'failed' | 'unknown' | 'unclear';
  unclear?: string;
  status: string;
  /** What the bank receives; null where unstated: then it is the sum of the lines. */
  amountKobo: number | null;
  /** What was deducted for refunds and chargebacks; null where unstated. */
  deductionsKobo: number | null;
  /** An ISO date. */
  dueOn: string | null;
  landedAt: Date | null;
  bank: { name: string | null; accountLast4: string | null } | null;
}

export interface LinesQuery {
  providerSettlementId: string;
  cursor: string | null;
}

export interface SettlementLine {
  providerPaymentId: string;
  /** Its reference: ours, or one of the merchant's other business. Empty where there is none. */
  reference: string;
  /** What counts towards the charge, as with a capture. */
  amountKobo: number;
  /** The net is `amountKobo - feeKobo`. */
  feeKobo: number | null;
  /** Why its amounts cannot be read. They are 0 and null then. Absent: they are clear. */
  unclear?: string;
}
