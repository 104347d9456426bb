import { findPayment, findPaymentByReference } from '../payments.ts';
import type { Account, Payment, Refund } from '../records.ts';
import { findRefund, type RefundRefusal, createRefund as refundPayment } from '../refunds.ts';
import { get, post, toId, toText, unfilled } from '../wire.ts';
import { askedId, invalid, listAnswer, missing, notFound, ok, refuse } from './answers.ts';
import { transactionSummary } from './transaction-shape.ts';

/** `POST /refund`: of all that is left or of a part. It is not safe to repeat. */
const createRefund = post('/refund', (context, { account, body }) => {
  const { transaction, amount, currency = 'NGN' } = body;
  if (!transaction) return missing('Transaction is required', 'transaction');
  if (amount !== undefined && !/^[1-9]\d{0,14}$/.test(String(amount)))
    return invalid('Invalid Amount Sent');
  if (currency !== 'NGN') return invalid('Currency does not match the transaction');
  const payment =
    findPayment(context.store, account, toId(transaction)) ??
    findPaymentByReference(context.store, account, String(transaction)) ??
    notFound('Transaction');
  const refund = refundPayment(context, payment, {
    amountKobo: amount === undefined ? undefined : Number(amount),
    customerNote: toText(body.customer_note),
    merchantNote: toText(body.merchant_note),
  });
  if (typeof refund === 'string') return refuseRefund[refund]();
  const shape = refundWithTransaction(account, payment, refund);
  return { ...ok('Refund has been queued for processing', shape), accepted: true };
});

const refuseRefund: Record<RefundRefusal, () => never> = {
  unpaid: () => invalid('Transaction has not been completed', 'Refund a successful transaction'),
  reversed: () =>
    refuse(
      ...([400, 'Transaction has been fully reversed', 'transaction_reversed'] as const),
      ...(['Refund another transaction', 'api_error'] as const),
    ),
  'too much': () =>
    invalid(
      'Refund amount cannot be more than the amount left on the transaction',
      'Send a smaller amount',
    ),
};

const getRefund = get('/refund/:id', ({ store }, { account, params }) => {
  const refund = findRefund(store, account, toId(params.id)) ?? notFound('Refund');
  return ok('Refund retrieved', refundShape(account, refund));
});

const getRefunds = get('/refund', ({ store }, call) => {
  const all = store.refund.find(`account ${call.account.id}`);
  askedId(call.query, 'transaction');
  return listAnswer(call, 'Refunds retrieved', all, {
    filters: { transaction: ({ paymentId }) => paymentId },
    toWire: (refund) => refundRow(call.account, refund),
  });
});

export const refundStatus: Record<Refund['status'], string> = {
  ...{ pending: 'pending', processing: 'processing', completed: 'processed', failed: 'failed' },
  'needs-attention': 'needs-attention',
};

const tenDaysMs = 10 * 24 * 60 * 60 * 1000;

/** A refund as `GET /refund/{id}` shows it, its transaction a bare number. */
function refundShape(account: Account, refund: Refund) {
  const completed = refund.status === 'completed';
  return {
    ...common(account, refund),
    transaction: refund.paymentId,
    ...unfilled('dispute settlement reason session_id reversed_at'),
    fully_deducted: completed,
    refunded_at: completed ? refund.updatedAt : null,
    bank_reference: bankReference(refund),
    initiated_by: 'sandbox@paystack.test',
    ...{ createdAt: refund.createdAt, updatedAt: refund.updatedAt },
  };
}

/** A refund as its creation answers it, the transaction inside. */
function refundWithTransaction(account: Account, payment: Payment, refund: Refund) {
  const { status: _status, ...transaction } = transactionSummary(account, payment);
  return {
    ...common(account, refund),
    ...{ transaction, channel: null, fully_deducted: false },
    ...{ createdAt: refund.createdAt, updatedAt: refund.updatedAt },
  };
}

/** A row of the list: dates with underscores, and a number where others have a boolean. */
function refundRow(account: Account, refund: Refund) {
  return {
    ...common(account, refund),
    transaction: refund.paymentId,
    ...unfilled('dispute settlement'),
    fully_deducted: refund.status === 'completed' ? 1 : null,
    refunded_at: refund.status === 'completed' ? refund.updatedAt : null,
    created_at: refund.createdAt,
    updated_at: refund.updatedAt,
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
    expected_at: new Date(refund.createdAt.getTime() + tenDaysMs),
  };
}

export const refunds = [createRefund, getRefund, getRefunds];
