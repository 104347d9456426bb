import { MINUTE_MS } from '../../shared/units.ts';
import { recordOf } from '../adapter/answers.ts';
import type { ListClient } from '../adapter/client.ts';
import { readPageAt } from '../adapter/lists.ts';
import { listedPayments } from '../adapter/payments.ts';
import { dateOf, nairaOf, payPageIn, type Row } from '../adapter/read.ts';
import type { HostedPayment, ListedPayment, PaymentOrder, PaymentsQuery } from '../port/payment.ts';
import type { Page } from '../port/settlement.ts';
import { answerForm } from './answers.ts';
import { listOf } from './pages.ts';
import { transactionForm, windowSince } from './wire.ts';

/** Flutterwave keeps no session for longer than a day. */
const MAX_MINUTES = 1440;

/**
 * The link takes money for whole minutes, at least one. Amounts are naira. Absent values are left
 * out: a `null` may be refused.
 */
export async function createPayment(
  client: ListClient,
  order: PaymentOrder,
): Promise<HostedPayment> {
  const minutes = Math.min(MAX_MINUTES, Math.max(1, Math.floor(order.expiresInMs / MINUTE_MS)));
  const answer = await client.post('/payments', {
    tx_ref: order.reference,
    amount: nairaOf(order.amountKobo),
    currency: order.currency,
    redirect_url: order.callbackUrl,
    customer: {
      email: order.email,
      name: order.name ?? undefined,
      phonenumber: order.phone ?? undefined,
    },
    customizations: { description: order.description ?? undefined },
    meta: { reference: order.reference },
    configurations: { session_duration: minutes },
  });
  const { link } = recordOf(answerForm, answer);
  return { url: payPageIn(link), linkExpiresInMs: minutes * MINUTE_MS };
}

/** By the day they were begun. Only the refund list says what was refunded since. */
export async function listPayments(
  client: ListClient,
  { from, to, cursor, paidOnly = false }: PaymentsQuery,
): Promise<Page<ListedPayment>> {
  const days = windowSince(from, to);
  const query = paidOnly ? { ...days, status: 'successful' } : days;
  const thing = 'transaction';
  const list = listOf(client, { path: '/transactions', query, thing, isTolerant: true });
  const { rows, next } = await readPageAt(list, cursor);
  return {
    rows: listedPayments(transactionForm, rows),
    next: isBefore(from, rows) ? null : next,
  };
}

/**
 * True where a page holds nothing from that time on, and later ones do not either: a list goes by
 * days, and its newest rows come first. A list in another order is read to its end.
 */
function isBefore(from: Date, rows: readonly Row[]): boolean {
  const times = rows.map((row) => dateOf(row.created_at)?.getTime() ?? Number.POSITIVE_INFINITY);
  const isNewestFirst = times.every((time, n) => n === 0 || time <= times[n - 1]!);
  return times.length > 1 && isNewestFirst && times[0]! < from.getTime();
}
