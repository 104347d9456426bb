/** And maybe more around it. */
export interface SpanQuery {
  from: Date;
  to: Date;
  cursor: string | null;
}

/** `next`: an opaque cursor, valid for days. */
export interface Page<Row> {
  rows: Row[];
  next: string | null;
}

/** What the provider calls the row, or where it stands, and why it cannot be read. */
export interface UnreadRow {
  name: string;
  why: string;
}

/** A row that cannot be read hides no other. */
export interface PastPage<Row> extends Page<Row> {
  unread: UnreadRow[];
}

export interface ProviderSettlement {
  providerSettlementId: string;
  /** It landed, and an amount cannot be read. */
  state: 'pending' | 'landed' | 'failed' | 'unknown' | 'unclear';
  unclear?: string;
  status: string;
  /** Null: the sum of the lines. */
  amountKobo: number | null;
  /** Null: unstated. */
  deductionsKobo: number | null;
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
  /** Ours, another's, or empty. */
  reference: string;
  amountKobo: number;
  feeKobo: number | null;
  /** Its amounts are 0 and null then. */
  unclear?: string;
}
