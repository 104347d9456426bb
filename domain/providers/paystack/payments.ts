import { listedPayments } from '../listed-payment.ts';
import type { CallOptions, HostedPayment, PaymentOrder } from '../provider.ts';
import { isObject, numericId, payPageIn, plainText } from '../read.ts';
import type { ListedPayment, Page, PaymentsQuery } from '../settlements.ts';
import { errorOf, isGood } from './answers.ts';
import type { Client } from './client.ts';
import { pageOf } from './pages.ts';
import { isReversed, readCapture, statusOf } from './wire.ts';

export async function createPayment(
  client: Client,
  order: PaymentOrder,
  options: CallOptions,
): Promise<HostedPayment> {
  const request = { ...options, method: 'POST', body: bodyOf(order), stage: 'create' } as const;
  const answer = await client(request, '/transaction/initialize');
  if (!isGood(answer)) throw errorOf(answer, 'create');
  const { data } = answer.json;
  return {
    url: payPageIn(isObject(data) ? data.authorization_url : undefined),
    linkExpiresInMs: null,
  };
}

/** Amounts are kobo. `reference` is the only key that finds the payment when the answer is lost. */
function bodyOf(order: PaymentOrder): object {
  return {
    email: order.email,
    amount: order.amountKobo,
    currency: order.currency,
    reference: order.reference,
    callback_url: order.callbackUrl,
    metadata: {
      description: order.description,
      customer_name: order.name,
      customer_phone: order.phone,
    },
  };
}

/** The account's captured payments, reversed ones included, whoever created them. */
export async function listPayments(
  client: Client,
  { from, to, cursor, paidOnly = false }: PaymentsQuery,
  options: CallOptions,
): Promise<Page<ListedPayment>> {
  const stage = 'payments';
  const query = {
    from: from.toISOString(),
    to: to.toISOString(),
    ...(paidOnly ? { status: 'success' } : {}),
  };
  const list = { stage, path: '/transaction', query, isTolerant: true };
  const { rows, next } = await pageOf(client, list, cursor, options);
  return {
    rows: listedPayments(
      rows.map((row) => ({
        ...statusOf(row),
        isReversed: isReversed(statusOf(row).status),
        providerPaymentId: numericId(row.id),
        reference: plainText(row.reference),
        capture: () => readCapture(row, stage),
      })),
    ),
    next,
  };
}
