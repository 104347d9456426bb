import { approveRefundForm, refundsView, rejectRefundForm } from './refunds/refunds.ts';
import type { Form, View } from './request.ts';
import { transactionsView } from './transactions/transactions.ts';

/** Every view, one line each. */
export const views: readonly View[] = [transactionsView, refundsView];

/** Every form, one line each. */
export const forms: readonly Form[] = [approveRefundForm, rejectRefundForm];
