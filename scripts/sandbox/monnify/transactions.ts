import type { Answer, Call, SandboxContext } from '../context.ts';
import { findPage, findPaymentByReference, paymentsOf } from '../payments.ts';
import type { Account, Payment } from '../records.ts';
import type { Store } from '../store.ts';
import { type Filters, filtered, get, isWithin, text, toKobo } from '../wire.ts';
import { malformed, merchantName, notProcessed, ok, pageAnswer, read, refuse } from './answers.ts';
import { epochDate } from './dates.ts';
import { paymentStatus, rowShape, transactionShape } from './transaction-shape.ts';

const queryTransaction = get(
  '/api/v2/merchant/transactions/query',
  (context, call) => {
    const { account, query } = call;
    const paymentReference = text(query, 'paymentReference');
    const transactionReference = text(query, 'transactionReference');
    if (transactionReference !== undefined)
      return getByTransactionReference(context, call, transactionReference);
    if (paymentReference === undefined) return malformed;
    const sale = findPaymentByReference(context.store, account, paymentReference);
    return sale
      ? ok(transactionShape(sale, context.now()))
      : refuse(
          404,
          `Could not find transaction with payment reference ${paymentReference} for merchant ${merchantName(account)}`,
          99,
        );
  },
  { as: 'verify' },
);

const getTransaction = get(
  '/api/v2/transactions/:reference',
  (context, call) => getByTransactionReference(context, call, call.params.reference!),
  { as: 'verify' },
);

function getByTransactionReference(
  { store, now }: SandboxContext,
  { account }: Call,
  reference: string,
): Answer {
  const sale = findSale(store, account, reference);
  return sale ? ok(transactionShape(sale, now())) : notFound;
}

export const notFound = refuse(
  404,
  "There's no transaction matching supplied reference. Please confirm supplied reference and try again.",
  99,
);

export function findSale(store: Store, { id }: Account, reference: string): Payment | undefined {
  const sale = findPage(store, reference);
  return sale?.accountId === id ? sale : undefined;
}

/** `GET /api/v1/transactions/search`: newest first; here amounts are numbers, with a fee. */
const searchTransactions = get(
  '/api/v1/transactions/search',
  ({ store, now }, { account, query }) => {
    const amount = (name: string) => read(query, name, toKobo);
    const [least, most, exact] = [amount('fromAmount'), amount('toAmount'), amount('amount')];
    const [from, to] = [read(query, 'from', epochDate), read(query, 'to', epochDate)];
    if (least === 'unreadable' || most === 'unreadable' || exact === 'unreadable')
      return notProcessed;
    if (from === 'unreadable' || to === 'unreadable') return notProcessed;
    const found = paymentsOf(store, account).filter(
      (sale) =>
        sale.requestedKobo >= (exact ?? least ?? 0) &&
        sale.requestedKobo <= (exact ?? most ?? Number.POSITIVE_INFINITY) &&
        isWithin(sale, { from, to }),
    );
    const status = (sale: Payment) => paymentStatus(sale, now());
    const filters = { ...searched, paymentStatus: status, paymentStatusParam: status };
    return pageAnswer(query, filtered(found, query, filters), (sale) => ({
      ...rowShape(sale, now()),
      merchantName: merchantName(account),
    }));
  },
);

const searched: Filters<Payment> = {
  paymentReference: ({ reference }) => reference,
  transactionReference: ({ accessCode }) => accessCode,
  customerEmail: ({ email }) => email,
  customerName: ({ customerName }) => customerName,
};

export const transactions = [queryTransaction, getTransaction, searchTransactions];
