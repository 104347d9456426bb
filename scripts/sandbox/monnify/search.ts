import { advanceRefunds } from '../advance-refunds.ts';
import type { Endpoint } from '../context.ts';
import { text } from '../fields.ts';
import { toKobo, toNaira } from '../naira.ts';
import type { Payment } from '../records.ts';
import { notProcessed } from './answers.ts';
import { epochDate, offsetDate } from './dates.ts';
import { merchantName } from './merchant.ts';
import { pageAnswer } from './pages.ts';
import { ofStatus, paymentStatus } from './payment-status.ts';
import { listSales } from './sales.ts';
import { customerShape, payableKobo, paymentMethod, settlementKobo } from './transaction-shape.ts';

/**
 * `GET /api/v1/transactions/search`: an account's transactions, newest first. Here the amounts are
 * numbers, and there is a fee.
 */
export const searchTransactions: Endpoint = {
  method: 'get',
  path: '/api/v1/transactions/search',
  async handle(context, { account, query }) {
    const conditions = readConditions(query, context.now());
    if (conditions === undefined) return notProcessed;
    await advanceRefunds(context);
    return pageAnswer(
      query,
      (window) => listSales(context.sql, account, conditions, window),
      (sale) => ({ ...rowShape(sale, context.now()), merchantName: merchantName(account) }),
    );
  },
};

/** Reads the filters; undefined when a number among them is none. */
function readConditions(
  query: Record<string, unknown>,
  now: Date,
): Record<string, unknown> | undefined {
  const given = (name: string) => text(query, name);
  const kobo = ['fromAmount', 'toAmount', 'amount'].map((name) => read(given(name), toKobo));
  const instants = ['from', 'to'].map((name) => read(given(name), epochDate));
  if ([...kobo, ...instants].includes('unreadable')) return undefined;
  return {
    'requested_kobo >= ?': kobo[0],
    'requested_kobo <= ?': kobo[1],
    'requested_kobo = ?': kobo[2],
    'created_at >= ?::timestamptz': instants[0],
    'created_at <= ?::timestamptz': instants[1],
    'reference = ?': given('paymentReference'),
    'access_code = ?': given('transactionReference'),
    'email = ?': given('customerEmail'),
    'customer_name = ?': given('customerName'),
    ...ofStatus(given('paymentStatus') ?? given('paymentStatusParam'), now),
  };
}

function read<Value>(
  given: string | undefined,
  parse: (text: string) => Value | undefined,
): Value | undefined | 'unreadable' {
  return given === undefined ? undefined : (parse(given) ?? 'unreadable');
}

function rowShape(sale: Payment, now: Date) {
  return {
    customerDTO: customerShape(sale),
    paymentMethod: sale.channel && paymentMethod[sale.channel],
    createdOn: offsetDate(sale.createdAt),
    amount: toNaira(sale.requestedKobo),
    amountPaid: toNaira(sale.paidKobo ?? 0),
    payableAmount: toNaira(payableKobo(sale)),
    settlementAmount: toNaira(settlementKobo(sale)),
    fee: toNaira(sale.feeKobo ?? 0),
    currencyCode: 'NGN',
    paymentDescription: sale.description,
    paymentStatus: paymentStatus(sale, now),
    transactionReference: sale.accessCode,
    paymentReference: sale.reference,
    completed: sale.paidKobo !== null,
    completedOn: sale.paidAt && offsetDate(sale.paidAt),
  };
}
