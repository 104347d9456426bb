import { deadlineOf } from '../http.ts';
import { listedPayments, type PaymentRow } from '../listed-payment.ts';
import type { Account, CallOptions, HostedPayment, PaymentOrder } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { isReference, nairaOf, payPageIn, plainText } from '../read.ts';
import type { ListedPayment, Page, PaymentsQuery } from '../settlements.ts';
import { bodyOf, errorOf, isDuplicate, messageOf } from './answers.ts';
import type { Client } from './client.ts';
import { pageOf } from './pages.ts';
import { isReversed, readCapture, statusOf } from './wire.ts';

/** A pay page takes money for forty minutes; no setting changes that. */
const LINK_EXPIRES_IN_MS = 40 * 60_000;

export async function createPayment(
  client: Client,
  { credentials }: Account,
  order: PaymentOrder,
  options: CallOptions,
): Promise<HostedPayment> {
  const path = '/api/v1/merchant/transactions/init-transaction';
  const body = orderBody(order, credentials.contract_code ?? '');
  const request = { method: 'POST', path, body, stage: 'create' } as const;
  const answer = await client.call(request, deadlineOf(options));
  if (isDuplicate(answer)) throw new ProviderError('duplicate', 'create', messageOf(answer));
  const created = bodyOf(answer);
  if (!created) throw errorOf(answer, 'create');
  if (created.paymentReference !== order.reference)
    throw new ProviderError('unknown', 'create', 'the answer is about another reference');
  return { url: payPageIn(created.checkoutUrl), linkExpiresInMs: LINK_EXPIRES_IN_MS };
}

/** `paymentReference` is the only key that finds the payment when the answer is lost. */
function orderBody(order: PaymentOrder, contractCode: string): object {
  return {
    amount: nairaOf(order.amountKobo),
    currencyCode: order.currency,
    contractCode,
    paymentReference: order.reference,
    customerEmail: order.email,
    customerName: order.name ?? order.email,
    paymentDescription: order.description ?? `Payment ${order.reference}`,
    redirectUrl: order.callbackUrl,
    metaData: order.phone === null ? {} : { customer_phone: order.phone },
  };
}

/**
 * The account's captured payments, reversed ones included, whoever created them. They are not
 * filtered by status: Monnify's sources differ in the filter's name and in the word for a paid one,
 * and a filter that is read otherwise hides payments.
 */
export async function listPayments(
  client: Client,
  { from, to, cursor }: PaymentsQuery,
  options: CallOptions,
): Promise<Page<ListedPayment>> {
  const stage = 'payments';
  const query = { from: String(from.getTime()), to: String(to.getTime()) };
  const list = { stage, path: '/api/v1/transactions/search', query, isTolerant: true };
  const { rows, next } = await pageOf(client, list, cursor, options);
  return { rows: listedPayments(rows.map((row) => readRow(row, stage))), next };
}

/**
 * A row of the search, in any of the published forms. They name some fields differently from the
 * query answer, and some state only what was asked: in full, unless the status says otherwise.
 */
function readRow(row: Record<string, unknown>, stage: string): PaymentRow {
  const { transactionReference, paymentReference, currencyCode, completedOn } = row;
  const { state, status } = statusOf(row);
  const askedInFull = paidInFull.has(status) ? (row.payableAmount ?? row.amount) : undefined;
  const amountPaid = row.amountPaid ?? askedInFull;
  return {
    status,
    state,
    isReversed: isReversed(status),
    providerPaymentId: isReference(transactionReference) ? transactionReference : null,
    reference: plainText(paymentReference),
    capture: () =>
      readCapture({ ...row, currency: currencyCode, paidOn: completedOn, amountPaid }, stage),
  };
}

const paidInFull = new Set(['PAID', 'SUCCESSFUL', 'REVERSED', 'REFUNDED']);
