import type { CallOptions, ProviderCapture } from './capture.ts';

/** One page of a list that may be long. `next` is where the following one begins; null: this was the last. Opaque, and good for days. */
export interface Page<Row> {
  rows: Row[];
  next: string | null;
}

/** A payout as its provider states it. All kobo. */
export interface ProviderSettlement {
  providerSettlementId: string;
  /** `pending`: on its way. `unknown`: a status no table of ours holds. */
  state: 'pending' | 'landed' | 'failed' | 'unknown';
  /** The provider's own word for it. */
  status: string;
  /** What reached the bank, or is to; null where nobody states it: then it is what its lines add up to. */
  amountKobo: number | null;
  /** What was taken out of it for refunds and chargebacks; null where the provider does not say. */
  deductionsKobo: number | null;
  /** The day it is meant for, as an ISO date; null where none is stated. */
  dueOn: string | null;
  /** When the money was sent to the bank; null while it was not. */
  landedAt: Date | null;
  /** Where it went; null where that is not stated. */
  bank: { name: string | null; accountLast4: string | null } | null;
}

/** A payment inside a payout. */
export interface SettlementLine {
  providerPaymentId: string;
  /** The reference it was made under: ours, or one of the merchant's other business. Empty where there is none. */
  reference: string;
  /** What counts towards the charge, as with a capture. */
  amountKobo: number;
  /** What the merchant pays the provider for it; null where the line does not say. The payment's net is `amountKobo - feeKobo`. */
  feeKobo: number | null;
}

/** Which payouts, or payments: all of these instants, and maybe some more around them. `cursor`: null for the first page. */
export interface SpanQuery {
  from: Date;
  to: Date;
  cursor: string | null;
}

export interface LinesQuery {
  providerSettlementId: string;
  cursor: string | null;
}

/** What a provider can be asked about the money it pays out. Every call is one question with a time-out and a bounded answer. */
export interface Payouts {
  /** Payouts of a time, in any state. Always empty where the provider has no such list: `readSettlement` and `settlementOf` find them. */
  listSettlements(query: SpanQuery, options: CallOptions): Promise<Page<ProviderSettlement>>;
  /** The payments a payout holds, at most ten thousand a page. Throws `unknown` where a line does not say plainly how much, or for what. */
  listLines(query: LinesQuery, options: CallOptions): Promise<Page<SettlementLine>>;
  /** The payout that holds a payment; undefined where none does yet, or where the provider lists its payouts instead. */
  settlementOf(
    providerPaymentId: string,
    options: CallOptions,
  ): Promise<ProviderSettlement | undefined>;
  /** The payout that the body of a notification, once found to be signed, tells of; undefined where it tells of none. Never throws. */
  readSettlement(body: string): ProviderSettlement | undefined;
  /** Payments that were taken, of a time, whatever became of them since. */
  listPayments(query: SpanQuery, options: CallOptions): Promise<Page<ProviderCapture>>;
}
