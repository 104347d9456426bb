import type { PaidPayment } from './payment.ts';

/** What a refund is created with. */
export interface RefundOrder extends PaidPayment {
  /** Our id of the refund (`ref_…`), which the provider stores with it. */
  refundId: string;
  amountKobo: number;
  reason: string;
}

/** Which refund to find. */
export interface WantedRefund {
  refundId: string;
  /** The provider's id; null while we do not know it. */
  providerRefundId: string | null;
  payment: PaidPayment;
}

/** A refund, as the provider states it. */
export interface ProviderRefund {
  providerRefundId: string;
  /** Our id, where its record holds one; null: it was created elsewhere. */
  refundId: string | null;
  amountKobo: number;
  /** `attention`: somebody must act at the provider. `unknown`: a status not in our table. */
  state: 'processing' | 'attention' | 'completed' | 'failed' | 'unknown';
  /** The provider's own status. */
  status: string;
  /** Why it failed or needs attention, for people; null where the provider does not say. */
  message: string | null;
  /** When it completed; null where it has not, or no time is given. */
  completedAt: Date | null;
  /** The raw record, kept as evidence. */
  raw: string;
}

/** Which page of an account's refunds. */
export interface AccountRefundsQuery {
  /** Refunds created since, and maybe some before. */
  from: Date;
  /** From 1 on. */
  page: number;
}

/** A page of an account's refunds, as a rule the newest first. */
export interface AccountRefunds {
  rows: ListedRefund[];
  /** How many refunds the whole list has; undefined where unstated. */
  total: number | undefined;
  /** Whether more pages follow; undefined where unstated. */
  hasMore: boolean | undefined;
}

/** A refund in the list of an account. How it stands is asked for by its id. */
export interface ListedRefund {
  providerRefundId: string;
  /** Null where the list does not name it. */
  providerPaymentId: string | null;
  /** Our id, where the record holds one. */
  refundId: string | null;
  createdAt: Date | null;
}
