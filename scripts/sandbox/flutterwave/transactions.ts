import type { Answer } from '../context.ts';
import { findPayment, findPaymentByReference, isPaid, paymentsOf } from '../payments.ts';
import type { Account, Payment } from '../records.ts';
import { get, looks, toId, toText } from '../wire.ts';
import { listAnswer, noTransaction, ok, refuse } from './answers.ts';
import { transactionRow, transactionShape } from './transaction-shape.ts';

/** `GET /transactions/verify_by_reference?tx_ref=`: the newest attempt, or none at a link. */
const verifyByReference = get('/transactions/verify_by_reference', ({ store }, call) => {
  const reference = toText(call.query.tx_ref) ?? refuse(400, 'tx_ref is required');
  return fetched(call.account, findPaymentByReference(store, call.account, reference));
});

const verify = get('/transactions/:id/verify', ({ store }, { account, params }) =>
  fetched(account, findPayment(store, account, toId(params.id))),
);

const fetched = (account: Account, payment: Payment | undefined): Answer =>
  ok('Transaction fetched successfully', transactionShape(account, payment ?? noTransaction()));

/** `GET /transactions`. Money that went back does not change what the filter finds. */
const getTransactions = get('/transactions', ({ store }, call) => {
  // The service asks for a reference after each payment: not all of a busy account are read.
  const all = paymentsOf(store, call.account, toText(call.query.tx_ref));
  const toWire = (payment: Payment) => transactionRow(call.account, payment);
  return listAnswer(call, 'Transactions fetched', all, toWire, {
    customer_email: ({ email }) => email,
    status: (payment) => (isPaid(payment) ? 'successful' : payment.status),
    currency: () => 'NGN',
  });
});

export const transactions = [...looks(verifyByReference, verify), getTransactions];
