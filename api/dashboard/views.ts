import { approveRefundForm, refundsView, rejectRefundForm } from './refunds/refunds.ts';
import type { Form, View } from './request.ts';
import {
  cancelChargeForm,
  requestRefundForm,
  resendDeliveryForm,
  transactionView,
} from './transactions/transaction.ts';
import { transactionsView } from './transactions/transactions.ts';

/** Every view, one line each. */
export const views: readonly View[] = [transactionsView, transactionView, refundsView];

/** Every form, one line each. */
export const forms: readonly Form[] = [
  approveRefundForm,
  rejectRefundForm,
  requestRefundForm,
  cancelChargeForm,
  resendDeliveryForm,
];
