import { deadlineOf } from '../http.ts';
import type {
  Account,
  CallOptions,
  HostedPayment,
  PaymentOrder,
  ProviderCapture,
} from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { isStated, nairaOf, payPageIn, roundedKoboOfNaira } from '../read.ts';
import type { Page, PaymentsQuery } from '../settlements.ts';
import { bodyOf, errorOf, isDuplicate, messageOf } from './answers.ts';
import type { Client } from './client.ts';
import { pageOf } from './pages.ts';
import { readCapture, statusOf } from './wire.ts';

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
 * The filter by status: the documentation and Monnify's own Java SDK name it differently. Rows of
 * another status are left out below as well.
 */
const PAID_ONLY = { paymentStatus: 'PAID', paymentStatusParam: 'PAID' };

/** The account's captured payments, reversed ones included, whoever created them. */
export async function listPayments(
  client: Client,
  { from, to, cursor, paidOnly = false }: PaymentsQuery,
  options: CallOptions,
): Promise<Page<ProviderCapture>> {
  const stage = 'payments';
  const query = {
    from: String(from.getTime()),
    to: String(to.getTime()),
    ...(paidOnly ? PAID_ONLY : {}),
  };
  const { rows, next } = await pageOf(
    client,
    { stage, path: '/api/v1/transactions/search', query },
    cursor,
    options,
  );
  const paid = rows.filter((row) => statusOf(row).state === 'paid');
  return { rows: paid.map((row) => readRow(row, stage)), next };
}

/**
 * A row of the search. It names some fields differently from the query answer, and states the fee.
 */
function readRow(row: Record<string, unknown>, stage: string): ProviderCapture {
  const { currencyCode, completedOn, amountPaid, settlementAmount } = row;
  const capture = readCapture(
    {
      ...row,
      currency: currencyCode,
      paidOn: completedOn,
      amountPaid: amountPaid ?? paidInFull(row),
    },
    stage,
  );
  return !isStated(settlementAmount)
    ? { ...capture, feeKobo: feeOf(row, capture.amountKobo) }
    : capture;
}

/** Some rows omit the amount paid. Where it was paid in full, it equals `payableAmount`. */
const paidInFullStatuses = new Set(['PAID', 'REVERSED', 'REFUNDED']);

function paidInFull(row: Record<string, unknown>): unknown {
  return paidInFullStatuses.has(statusOf(row).status) ? row.payableAmount : undefined;
}

/**
 * `fee` beside a `providerAmount` is only a part of it. A zero fee is not computed yet, or
 * returned.
 */
function feeOf(
  { fee, providerAmount }: Record<string, unknown>,
  amountKobo: number,
): number | null {
  const feeKobo = isStated(providerAmount) ? null : roundedKoboOfNaira(fee);
  return feeKobo === null || feeKobo === 0 || feeKobo > amountKobo ? null : feeKobo;
}
