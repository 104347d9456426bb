import { MINUTE_MS } from '../../shared/units.ts';
import { recordOf } from '../adapter/answers.ts';
import type { Client } from '../adapter/client.ts';
import { readPageAt } from '../adapter/lists.ts';
import { listedPayments, statusOf } from '../adapter/payments.ts';
import { nairaOf, payPageIn, type Row, UnclearError } from '../adapter/read.ts';
import type { HostedPayment, ListedPayment, PaymentOrder, PaymentsQuery } from '../port/payment.ts';
import type { Page } from '../port/settlement.ts';
import { answerForm } from './answers.ts';
import { listOf } from './pages.ts';
import { transactionForm } from './wire.ts';

/** A pay page takes money for forty minutes; no setting changes that. */
const LINK_EXPIRES_IN_MS = 40 * MINUTE_MS;

/** `paymentReference` is the only key that finds the payment when the answer is lost. */
export async function createPayment(client: Client, order: PaymentOrder): Promise<HostedPayment> {
  const answer = await client.post('/api/v1/merchant/transactions/init-transaction', {
    amount: nairaOf(order.amountKobo),
    currencyCode: order.currency,
    contractCode: client.account.credentials.contract_code ?? '',
    paymentReference: order.reference,
    customerEmail: order.email,
    customerName: order.name ?? order.email,
    paymentDescription: order.description ?? `Payment ${order.reference}`,
    redirectUrl: order.callbackUrl,
    metaData: order.phone === null ? {} : { customer_phone: order.phone },
  });
  const created = recordOf(answerForm, answer);
  if (created.paymentReference !== order.reference)
    throw new UnclearError('the answer is about another reference');
  return { url: payPageIn(created.checkoutUrl), linkExpiresInMs: LINK_EXPIRES_IN_MS };
}

/**
 * The account's captured payments, reversed ones included, whoever created them. They are not
 * filtered by status: Monnify's sources differ in the filter's name and in the word for a paid one,
 * and a filter that is read otherwise hides payments.
 */
export async function listPayments(
  client: Client,
  { from, to, cursor }: PaymentsQuery,
): Promise<Page<ListedPayment>> {
  const query = { from: String(from.getTime()), to: String(to.getTime()) };
  const list = listOf(client, '/api/v1/transactions/search', query, true);
  const { rows, next } = await readPageAt(list, cursor);
  return { rows: listedPayments(transactionForm, rows.map(asQueried)), next };
}

const paidInFull = new Set(['PAID', 'SUCCESSFUL', 'REVERSED', 'REFUNDED']);

/**
 * A row of the search, in any of the published forms, as the query answer would state it. Some
 * state only what was asked: in full, unless the status says otherwise.
 */
function asQueried(row: Row): Row {
  const isPaidInFull = paidInFull.has(statusOf(transactionForm, row));
  const askedInFull = isPaidInFull ? (row.payableAmount ?? row.amount) : undefined;
  const amountPaid = row.amountPaid ?? askedInFull;
  return { ...row, amountPaid, currency: row.currencyCode, paidOn: row.completedOn };
}
