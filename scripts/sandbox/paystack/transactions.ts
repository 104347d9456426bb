import type { Answer, Call } from '../context.ts';
import { findPayment, findPaymentByReference, paymentsOf } from '../payments.ts';
import type { Payment } from '../records.ts';
import { currencyStated, findSettlement, linesOf } from '../settlements.ts';
import { get, looks, toId } from '../wire.ts';
import { askedId, invalid, listAnswer, notFound, ok, refuse } from './answers.ts';
import { transactionShape, transactionStatus } from './transaction-shape.ts';

/** `GET /transaction/verify/{reference}`: absent answers 400, as seen live. */
const verify = get('/transaction/verify/:reference', ({ store }, { account, params }) => {
  const payment =
    findPaymentByReference(store, account, params.reference!) ??
    refuse(400, 'Transaction reference not found.', 'transaction_not_found', lookAgain);
  return ok('Verification successful', transactionShape(account, payment));
});

const lookAgain =
  "Ensure that you're passing the reference of a transaction that exists on this integration";

const getTransaction = get('/transaction/:id', ({ store }, { account, params }) => {
  const id = toId(params.id) ?? invalid('Transaction ID should be numeric.');
  const payment = findPayment(store, account, id) ?? notFound('Transaction');
  return ok('Transaction retrieved', transactionShape(account, payment));
});

/** `GET /transaction`: all of them, or the lines of a settlement. */
const getTransactions = get('/transaction', ({ store }, call) => {
  const id = askedId(call.query, 'settlement');
  if (id === undefined) return listPayments(call, paymentsOf(store, call.account));
  const settlement = findSettlement(store, call.account, id);
  return listPayments(call, settlement ? linesOf(store, settlement).reverse() : []);
});

export function listPayments(call: Call, payments: readonly Payment[]): Answer {
  return listAnswer(call, 'Transactions retrieved', payments, {
    filters: { status: ({ status }) => transactionStatus[status] },
    volumeKobo: ({ paidKobo, requestedKobo }) => paidKobo ?? requestedKobo,
    toWire: (row) => ({ ...transactionShape(call.account, row), currency: currencyStated(row) }),
  });
}

export const transactions = [...looks(verify, getTransaction), getTransactions];
