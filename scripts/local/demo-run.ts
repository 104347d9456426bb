import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { formatNaira } from '../../domain/shared/money.ts';
import type { Received, Receiver } from './receiver.ts';
import type { Demo } from './stack.ts';

const STEP_WITHIN_MS = 30_000;
const AMOUNT_KOBO = 250_000;

interface Checkout {
  id: string;
  reference: string;
  checkout_url: string;
  status: string;
  transaction: {
    id: string;
    status: string;
    amount_kobo: number;
    fee_kobo: number;
    net_kobo: number;
    channel: string;
  } | null;
}

/** The main job, printed as it happens. Throws when a step is not seen. */
export async function runDemo(
  demo: Demo,
  receiver: Receiver,
  print: (line: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  const until = <T>(what: string, look: () => Promise<T | undefined>) =>
    waitFor(what, look, stopped);
  const { checkout, again } = await createTwice(demo);
  print(
    `1. A charge of ${formatNaira(AMOUNT_KOBO)} is created: ${checkout.reference}, ${checkout.id}`,
  );
  if (again.id !== checkout.id)
    throw new Error('The same request under the same Idempotency-Key made a second charge.');
  print(
    '   The same request again, under the same Idempotency-Key, gives the same answer: one charge.',
  );
  await until('the payment page', () => payPage(checkout));
  print(
    `2. The provider has opened the payment; the payer's page leads there: ${checkout.checkout_url}`,
  );
  await until('the payment', () => pay(demo, checkout));
  print("3. The sandbox's customer pays by card.");
  const paid = await until('the paid charge', () => paidCharge(demo, checkout));
  const { fee_kobo, net_kobo, channel, id } = paid.transaction!;
  print(
    `4. GET /charges/${checkout.reference} has the transaction: ${id}, ${channel}, fee ${formatNaira(fee_kobo)}, net ${formatNaira(net_kobo)}`,
  );
  const webhook = await until('the webhook', async () =>
    receiver.received.find(({ body }) => body.includes(`"${checkout.reference}"`)),
  );
  verify(demo, webhook);
  print(
    `5. The webhook charge.succeeded arrived at ${demo.receiver_url} and its signature verifies (${webhook.headers['webhook-id']}).`,
  );
}

async function createTwice(demo: Demo): Promise<{ checkout: Checkout; again: Checkout }> {
  const key = randomUUID();
  const body = {
    amount_kobo: AMOUNT_KOBO,
    email: 'ada@example.com',
    name: 'Ada Obi',
    reference: `order-${key.slice(0, 8)}`,
    description: 'Demo order',
  };
  const create = () => call<Checkout>(demo, 'POST', '/charges', body, { 'idempotency-key': key });
  return { checkout: await create(), again: await create() };
}

async function payPage(checkout: Checkout): Promise<true | undefined> {
  const response = await fetch(checkout.checkout_url);
  return response.ok && (await response.text()).includes('Continue to payment') ? true : undefined;
}

async function pay(demo: Demo, checkout: Checkout): Promise<true | undefined> {
  const response = await fetch(`${demo.sandbox_url}/_control/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference: checkout.reference, outcome: 'success' }),
  });
  return response.ok ? true : undefined;
}

async function paidCharge(demo: Demo, checkout: Checkout): Promise<Checkout | undefined> {
  const charge = await call<Checkout>(demo, 'GET', `/charges/${checkout.reference}`);
  return charge.status === 'completed' ? charge : undefined;
}

/** Verifies the webhook as a merchant would: with a public library and nothing of ours. */
function verify(demo: Demo, webhook: Received): void {
  new Webhook(demo.webhook_secret_test).verify(
    webhook.body,
    webhook.headers as Record<string, string>,
  );
}

async function call<T>(
  demo: Demo,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const response = await fetch(`${demo.base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${demo.secret_key_test}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function waitFor<T>(what: string, look: () => Promise<T | undefined>, stopped: AbortSignal) {
  const deadline = performance.now() + STEP_WITHIN_MS;
  while (performance.now() < deadline) {
    stopped.throwIfAborted();
    const seen = await look();
    if (seen !== undefined) return seen;
    await pause(150, undefined, { signal: stopped });
  }
  throw new Error(
    `The run stopped: ${what} did not come within ${STEP_WITHIN_MS / 1000} s. See service.log.`,
  );
}
