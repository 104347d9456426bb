import { findPayment, findPaymentByReference, isPaid, paymentsOf } from '../payments.ts';
import type { Account, Payment } from '../records.ts';
import { get, text, toId } from '../wire.ts';
import { listAnswer, noTransaction, ok, refuse } from './answers.ts';
import { transactionRow, transactionShape } from './transaction-shape.ts';

/** `GET /transactions/verify_by_reference?tx_ref=`: the newest attempt, or none at a link. */
const verifyByReference = get(
  '/transactions/verify_by_reference',
  ({ store }, { account, query }) => {
    const reference = text(query, 'tx_ref');
    if (reference === undefined) return refuse(400, 'tx_ref is required');
    return fetched(account, findPaymentByReference(store, account, reference));
  },
  { as: 'verify' },
);

const verify = get(
  '/transactions/:id/verify',
  ({ store }, { account, params }) => {
    return fetched(account, findPayment(store, account, toId(params.id) ?? 0));
  },
  { as: 'verify' },
);

function fetched(account: Account, payment: Payment | undefined) {
  return payment
    ? ok('Transaction fetched successfully', transactionShape(account, payment))
    : noTransaction;
}

/** `GET /transactions`. Money that went back does not change what the filter finds. */
const getTransactions = get('/transactions', ({ store }, call) => {
  const all = paymentsOf(store, call.account);
  const toWire = (payment: Payment) => transactionRow(call.account, payment);
  return listAnswer(call, 'Transactions fetched', all, toWire, {
    tx_ref: ({ reference }) => reference,
    customer_email: ({ email }) => email,
    status: (payment) => (isPaid(payment) ? 'successful' : payment.status),
    currency: () => 'NGN',
  });
});

export const transactions = [verifyByReference, verify, getTransactions];
