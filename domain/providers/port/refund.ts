import type { PaidPayment } from './payment.ts';

export interface RefundOrder extends PaidPayment {
  /** Our id of the refund (`ref_…`), which the provider stores with it. */
  refundId: string;
  amountKobo: number;
  reason: string;
}

export interface WantedRefund {
  refundId: string;
  /** The provider's id; null while we do not know it. */
  providerRefundId: string | null;
  payment: PaidPayment;
}

export interface ProviderRefund {
  providerRefundId: string;
  /** Our id, where its record holds one; null: it was created elsewhere. */
  refundId: string | null;
  amountKobo: number;
  /** `attention`: somebody must act at the provider. `unknown`: a status not in our table. */
  state: 'processing' | 'attention' | 'completed' | 'failed' | 'unknown';
  status: string;
  message: string | null;
  completedAt: Date | null;
  raw: string;
}

export interface AccountRefundsQuery {
  /** Refunds created since, and maybe some before. */
  from: Date;
  /** From 1 on. */
  page: number;
}

/** A page of an account's refunds, as a rule the newest first. */
export interface AccountRefunds {
  rows: ListedRefund[];
  /** Of the whole list; undefined where unstated, as `hasMore`. */
  total: number | undefined;
  hasMore: boolean | undefined;
}

/** A refund in the list of an account. How it stands is asked for by its id. */
export interface ListedRefund {
  providerRefundId: string;
  providerPaymentId: string | null;
  refundId: string | null;
  createdAt: Date | null;
}
