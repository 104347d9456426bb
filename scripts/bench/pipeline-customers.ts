import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { slots } from '../../domain/shared/slot.ts';
import { order } from './order.ts';
import type { PipelineStack } from './pipeline-stack.ts';
import { openPoster } from './poster.ts';
import type { BenchSandbox } from './sandbox.ts';

/** One customer's charge. Times are of the clock, in ms. */
export interface CustomerCharge {
  /** When the customer came, whether the API was ready for the request or not. */
  askedAtMs: number;
  answeredAtMs?: number;
  webhookAtMs?: number;
}

/** Customers who ask for a charge, and pay a moment after their payment exists at the provider. */
export interface Customers extends AsyncDisposable {
  /** Resolves when the API has answered. */
  ask(): Promise<void>;
  /** The charges asked for since the last call, by their reference. */
  take(): Map<string, CustomerCharge>;
}

/** The link is on its way to the customer, who then pays at once. */
const PAYS_AFTER_MS = 250;

export async function openCustomers(stack: PipelineStack): Promise<Customers> {
  const { api, sandbox, keys } = stack;
  await using opening = new AsyncDisposableStack();
  const merchants = opening.use(openPoster(api.url));
  const payers = opening.use(openPoster(sandbox.url));
  let charges = new Map<string, CustomerCharge>();
  let asked = 0;
  let trouble: Error | undefined;
  const chargeOf = (reference: string) => {
    const known = charges.get(reference) ?? { askedAtMs: Number.NaN };
    charges.set(reference, known);
    return known;
  };
  stack.onWebhook((body, atMs) => {
    chargeOf(referenceIn(body)).webhookAtMs ??= atMs;
  });
  await onPayment(sandbox, async (reference) => {
    await pause(PAYS_AFTER_MS);
    const body = JSON.stringify({ reference, outcome: 'success' });
    await payers.post('/_control/pay', [], body).catch((error) => {
      trouble = error;
    });
  });
  const open = opening.move();
  return {
    async ask() {
      if (trouble) throw trouble;
      const askedAtMs = Date.now();
      const number = asked++;
      const key = keys[number % keys.length];
      const headers = ['Authorization', `Bearer ${key}`, 'Idempotency-Key', randomUUID()];
      const provider = slots[number % slots.length];
      const body = JSON.stringify({ ...order(number), provider });
      const answer = await merchants.post('/v1/charges', headers, body);
      const charge = chargeOf(referenceIn(answer));
      charge.askedAtMs = askedAtMs;
      charge.answeredAtMs = Date.now();
    },
    take() {
      const taken = charges;
      charges = new Map();
      return taken;
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** The charge's own reference, in an answer or a webhook: parsing all of it would cost more. */
function referenceIn(body: string): string {
  const [, reference] = /"reference":"(SV-\d+)"/.exec(body) ?? [];
  if (!reference) throw new Error(`There is no reference in ${body}`);
  return reference;
}

/** The sandbox's own database says when a payment was made: that costs the service nothing. */
async function onPayment(
  { client }: BenchSandbox,
  listener: (reference: string) => Promise<void>,
): Promise<void> {
  await client.query(`
    create function announce() returns trigger language plpgsql as $$
    begin
      perform pg_notify('payments', string_agg(reference, ',')) from made
        where kind <> 'attempt' having count(*) > 0;
      return null;
    end $$;
    create trigger announce after insert on sandbox.payment
      referencing new table as made for each statement execute function announce();
    listen payments`);
  client.on('notification', ({ payload }) => {
    for (const reference of payload!.split(',')) void listener(reference);
  });
}
