import { findPage, findPaymentByReference, paymentsOf } from '../payments.ts';
import type { Account, Payment } from '../records.ts';
import type { Store } from '../store.ts';
import { type Filters, filtered, get, isWithin, looks, toKobo, toText } from '../wire.ts';
import { malformed, merchantName, ok, pageAnswer, read, refuse } from './answers.ts';
import { epochDate } from './dates.ts';
import { paymentStatus, rowShape, transactionShape } from './transaction-shape.ts';

const queryTransaction = get(
  '/api/v2/merchant/transactions/query',
  ({ store, now }, { account, query }) => {
    const transactionReference = toText(query.transactionReference);
    const paymentReference = toText(query.paymentReference);
    if (transactionReference !== undefined)
      return ok(
        transactionShape(findSale(store, account, transactionReference) ?? notFound(), now()),
      );
    const sale =
      findPaymentByReference(store, account, paymentReference ?? malformed()) ??
      refuse(
        404,
        `Could not find transaction with payment reference ${paymentReference} for merchant ${merchantName(account)}`,
        99,
      );
    return ok(transactionShape(sale, now()));
  },
);

const getTransaction = get('/api/v2/transactions/:reference', ({ store, now }, call) => {
  const sale = findSale(store, call.account, call.params.reference!) ?? notFound();
  return ok(transactionShape(sale, now()));
});

export const notFound = () => refuse(404, NO_SALE, 99);

const NO_SALE =
  "There's no transaction matching supplied reference. Please confirm supplied reference and try again.";

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
    const span = { from: read(query, 'from', epochDate), to: read(query, 'to', epochDate) };
    const found = paymentsOf(store, account).filter(
      (sale) =>
        sale.requestedKobo >= (exact ?? least ?? 0) &&
        sale.requestedKobo <= (exact ?? most ?? Number.POSITIVE_INFINITY) &&
        isWithin(sale, span),
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

export const transactions = [...looks(queryTransaction, getTransaction), searchTransactions];
