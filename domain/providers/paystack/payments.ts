import type { CallOptions, HostedPayment, PaymentOrder, ProviderCapture } from '../provider.ts';
import { isObject, payPageIn } from '../read.ts';
import type { Page, PaymentsQuery } from '../settlements.ts';
import { errorOf, isGood } from './answers.ts';
import type { Client } from './client.ts';
import { pageOf } from './pages.ts';
import { readCapture, statusOf } from './wire.ts';

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
): Promise<Page<ProviderCapture>> {
  const stage = 'payments';
  const query = {
    from: from.toISOString(),
    to: to.toISOString(),
    ...(paidOnly ? { status: 'success' } : {}),
  };
  const list = { stage, path: '/transaction', query };
  const { rows, next } = await pageOf(client, list, cursor, options);
  const paid = rows.filter((row) => statusOf(row).state === 'paid');
  return { rows: paid.map((row) => readCapture(row, stage)), next };
}
