import type { Account, Payment, Refund } from '../records.ts';
import { transactionSummary } from './transaction-shape.ts';

/** What Paystack calls the state of a refund. */
export const refundStatus: Record<Refund['status'], string> = {
  pending: 'pending',
  processing: 'processing',
  completed: 'processed',
  failed: 'failed',
  'needs-attention': 'needs-attention',
};

const tenDaysMs = 10 * 24 * 60 * 60 * 1000;

/** A refund as `GET /refund/{id}` shows it, its transaction a bare number. */
export function refundShape(account: Account, refund: Refund) {
  const completed = refund.status === 'completed';
  return {
    ...common(account, refund),
    transaction: refund.paymentId,
    dispute: null,
    settlement: null,
    fully_deducted: completed,
    refunded_at: completed ? refund.updatedAt.toISOString() : null,
    bank_reference: bankReference(refund),
    reason: null,
    session_id: null,
    initiated_by: 'sandbox@paystack.test',
    reversed_at: null,
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.updatedAt.toISOString(),
  };
}

/** A refund as its creation answers it, the transaction inside. */
export function refundWithTransaction(account: Account, payment: Payment, refund: Refund) {
  const { status: _status, ...transaction } = transactionSummary(account, payment);
  return {
    ...common(account, refund),
    transaction,
    channel: null,
    fully_deducted: false,
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.updatedAt.toISOString(),
  };
}

/**
 * A refund as a row of the list: dates with underscores, and a number where the others have a
 * boolean.
 */
export function refundRow(account: Account, refund: Refund) {
  return {
    ...common(account, refund),
    transaction: refund.paymentId,
    dispute: null,
    settlement: null,
    fully_deducted: refund.status === 'completed' ? 1 : null,
    refunded_at: refund.status === 'completed' ? refund.updatedAt.toISOString() : null,
    created_at: refund.createdAt.toISOString(),
    updated_at: refund.updatedAt.toISOString(),
  };
}

/** The bank knows a refund once it is done, not before. */
export function bankReference({ id, status }: Refund): string | null {
  return status === 'completed' ? `13${id.toString().padStart(10, '0')}` : null;
}

function common(account: Account, refund: Refund) {
  return {
    id: refund.id,
    integration: account.id,
    domain: account.mode,
    status: refundStatus[refund.status],
    amount: refund.amountKobo,
    deducted_amount: refund.status === 'completed' ? refund.amountKobo : 0,
    currency: 'NGN',
    merchant_note: refund.merchantNote,
    customer_note: refund.customerNote,
    refunded_by: 'sandbox@paystack.test',
    expected_at: new Date(refund.createdAt.getTime() + tenDaysMs).toISOString(),
  };
}
