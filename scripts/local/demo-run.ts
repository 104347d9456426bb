import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { formatNaira } from '../../domain/shared/money.ts';
import { callOnce, expectAnswer } from './api-call.ts';
import type { Receiver } from './receiver.ts';
import type { Demo } from './stack.ts';
import { until } from './until.ts';

const STEP_WITHIN_MS = 30_000;
const AMOUNT_KOBO = 250_000;

interface Checkout {
  id: string;
  reference: string;
  checkout_url: string;
  status: string;
  transaction: { id: string; fee_kobo: number; net_kobo: number; channel: string } | null;
}

/** The main job, printed as it happens. Throws when a step is not seen. */
export async function runDemo(
  demo: Demo,
  receiver: Receiver,
  print: (line: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  const { sandbox_url, secret_key_test: key } = demo;
  const seen = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
    const patience = { everyMs: 150, withinMs: STEP_WITHIN_MS, ended: stopped };
    const found = await until(patience, look);
    stopped.throwIfAborted();
    if (found !== undefined) return found;
    const within = `${STEP_WITHIN_MS / 1000} s`;
    throw new Error(`The run stopped: ${what} did not come within ${within}. See service.log.`);
  };
  const idempotencyKey = randomUUID();
  const body = {
    ...{ amount_kobo: AMOUNT_KOBO, email: 'ada@example.com', name: 'Ada Obi' },
    ...{ reference: `order-${idempotencyKey.slice(0, 8)}`, description: 'Demo order' },
  };
  const create = { path: '/charges', key, idempotencyKey, body };
  const checkout = await expectAnswer<Checkout>(demo.base_url, create);
  const again = await expectAnswer<Checkout>(demo.base_url, create);
  const { reference, checkout_url } = checkout;
  print(`1. A charge of ${formatNaira(AMOUNT_KOBO)} is created: ${reference}, ${checkout.id}`);
  if (again.id !== checkout.id)
    throw new Error('The same request under the same Idempotency-Key made a second charge.');
  print(
    '   The same request again, under the same Idempotency-Key, gives the same answer: one charge.',
  );
  await seen('the payment page', async () => {
    const response = await fetch(checkout_url);
    const text = await response.text();
    return (response.ok && text.includes('Continue to payment')) || undefined;
  });
  print(`2. The provider has opened the payment; the payer's page leads there: ${checkout_url}`);
  await seen('the payment', async () => {
    const paid = { path: '/_control/pay', body: { reference, outcome: 'success' } };
    return (await callOnce(sandbox_url, paid)).status === 200 || undefined;
  });
  print("3. The sandbox's customer pays by card.");
  const { id, fee_kobo, net_kobo, channel } = await seen('the paid charge', async () => {
    const read = { path: `/charges/${reference}`, key };
    const { status, transaction } = await expectAnswer<Checkout>(demo.base_url, read);
    return status === 'completed' ? transaction! : undefined;
  });
  print(
    `4. GET /charges/${reference} has the transaction: ${id}, ${channel}, fee ${formatNaira(fee_kobo)}, net ${formatNaira(net_kobo)}`,
  );
  const webhook = await seen('the webhook', async () =>
    receiver.received.find(({ body }) => body.includes(`"${reference}"`)),
  );
  // As a merchant would: with a public library and nothing of ours.
  const headers = webhook.headers as Record<string, string>;
  new Webhook(demo.webhook_secret_test).verify(webhook.body, headers);
  print(
    `5. The webhook charge.succeeded arrived at ${demo.receiver_url} and its signature verifies (${headers['webhook-id']}).`,
  );
}
