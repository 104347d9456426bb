import type { PaidPayment } from './payment.ts';

export interface RefundOrder extends PaidPayment {
  /** `ref_…`, stored by the provider. */
  refundId: string;
  amountKobo: number;
  reason: string;
}

export interface WantedRefund {
  refundId: string;
  providerRefundId: string | null;
  payment: PaidPayment;
}

export interface ProviderRefund {
  providerRefundId: string;
  /** Null: created elsewhere. */
  refundId: string | null;
  amountKobo: number;
  /** `attention`: somebody must act at the provider. */
  state: 'processing' | 'attention' | 'completed' | 'failed' | 'unknown';
  status: string;
  message: string | null;
  completedAt: Date | null;
  raw: string;
}

export interface AccountRefundsQuery {
  /** And maybe some before. */
  from: Date;
  page: number;
}

/** As a rule the newest first. */
export interface AccountRefunds {
  rows: ListedRefund[];
  /** Undefined: unstated. */
  total: number | undefined;
  hasMore: boolean | undefined;
}

/** How it stands is asked for by its id. */
export interface ListedRefund {
  providerRefundId: string;
  providerPaymentId: string | null;
  refundId: string | null;
  createdAt: Date | null;
}

export interface PastRefund {
  providerPaymentId: string;
  refund: ProviderRefund;
}
