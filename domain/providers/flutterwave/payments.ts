import { cursorAfter, positionAt } from '../cursor.ts';
import { listedPayments } from '../listed-payment.ts';
import type { HostedPayment, PaymentOrder } from '../provider.ts';
import { dateOf, nairaOf, numericId, payPageIn, plainText } from '../read.ts';
import type { ListedPayment, Page, PaymentsQuery } from '../settlements.ts';
import { recordOf } from './answers.ts';
import type { Client } from './client.ts';
import { pageRead, readPage } from './pages.ts';
import { isReversed, readCapture, stateOf, statusOf, windowSince } from './wire.ts';

export async function createPayment(client: Client, order: PaymentOrder): Promise<HostedPayment> {
  const minutes = minutesOf(order.expiresInMs);
  const answer = await client.post('/payments', bodyOf(order, minutes), 'create');
  const { link } = recordOf(answer, 'create');
  return { url: payPageIn(link), linkExpiresInMs: minutes * 60_000 };
}

/** Flutterwave keeps no session for longer than a day. */
const MAX_MINUTES = 1440;

/** Whole minutes, at least one, and never more than the charge can still be paid. */
function minutesOf(expiresInMs: number): number {
  return Math.min(MAX_MINUTES, Math.max(1, Math.floor(expiresInMs / 60_000)));
}

/** Amounts are naira. Absent values are left out: a `null` may be refused. */
function bodyOf(order: PaymentOrder, minutes: number): object {
  return {
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
  };
}

/**
 * Captured payments, by the day they were begun. Only the refund list says what was refunded since.
 */
export async function listPayments(
  client: Client,
  { from, to, cursor, paidOnly = false }: PaymentsQuery,
): Promise<Page<ListedPayment>> {
  const stage = 'list payments';
  const position = positionAt(cursor, 1, stage);
  const query = { ...windowSince(from, to), ...(paidOnly ? { status: 'successful' } : {}) };
  const list = { path: '/transactions', query, thing: 'transaction', stage } as const;
  const page = await readPage(client, { ...list, isTolerant: true }, position.page);
  return {
    rows: listedPayments(
      page.rows.map((row) => ({
        status: statusOf(row),
        state: stateOf(row),
        isReversed: isReversed(statusOf(row)),
        providerPaymentId: numericId(row.id),
        reference: plainText(row.tx_ref),
        capture: () => readCapture(row, stage),
      })),
    ),
    next: isBefore(from, page.rows)
      ? null
      : cursorAfter(position, pageRead(page, position.page), stage),
  };
}

/**
 * True where a page holds nothing from that time on, and later ones do not either: a list goes by
 * days, and its newest rows come first. A list in another order is read to its end.
 */
function isBefore(from: Date, rows: readonly Record<string, unknown>[]): boolean {
  const times = rows.map((row) => dateOf(row.created_at)?.getTime() ?? Number.POSITIVE_INFINITY);
  const isNewestFirst = times.every((time, n) => n === 0 || time <= times[n - 1]!);
  return times.length > 1 && isNewestFirst && times[0]! < from.getTime();
}
