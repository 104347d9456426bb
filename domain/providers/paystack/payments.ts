import { recordOf } from '../adapter/answers.ts';
import type { Client } from '../adapter/client.ts';
import { readPageAt } from '../adapter/lists.ts';
import { listedPayments } from '../adapter/payments.ts';
import { payPageIn } from '../adapter/read.ts';
import type { HostedPayment, ListedPayment, PaymentOrder, PaymentsQuery } from '../port/payment.ts';
import type { Page } from '../port/settlement.ts';
import { answerForm } from './answers.ts';
import { listOf } from './pages.ts';
import { transactionForm } from './wire.ts';

/** Amounts are kobo. `reference` is the only key that finds the payment when the answer is lost. */
export async function createPayment(client: Client, order: PaymentOrder): Promise<HostedPayment> {
  const answer = await client.post('/transaction/initialize', {
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
  });
  const { authorization_url: url } = recordOf(answerForm, answer);
  return { url: payPageIn(url), linkExpiresInMs: null };
}

export async function listPayments(
  client: Client,
  { from, to, cursor, paidOnly = false }: PaymentsQuery,
): Promise<Page<ListedPayment>> {
  const span = { from: from.toISOString(), to: to.toISOString() };
  const query = paidOnly ? { ...span, status: 'success' } : span;
  const { rows, next } = await readPageAt(listOf(client, '/transaction', query, true), cursor);
  return { rows: listedPayments(transactionForm, rows), next };
}
