import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pRetry from 'p-retry';
import { addApiKey } from '../../domain/accounts/api-key/api-keys.ts';
import { addConnection, draftConnection } from '../../domain/accounts/connection/connections.ts';
import { createTenant } from '../../domain/accounts/tenant/create-tenant.ts';
import { addEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import { defaultEventTypes } from '../../domain/webhooks/event/publish.ts';
import { openOn } from '../bench/stack.ts';
import { callOnce, expectAnswer } from '../local/api-call.ts';
import { until } from '../local/until.ts';
import type { Deployment } from './deployment.ts';

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** A merchant in live mode, whose Paystack the sandbox plays; webhooks go to the receiver, too. */
export async function openShop(
  { env, publicUrl, sandboxUrl, receiver }: Deployment,
  ...webhookUrls: string[]
) {
  const credentials = { secret_key: `sk_live_${randomBytes(20).toString('hex')}` };
  await using context = await openOn(env);
  const { connectionId, key } = await context.inTx(async (tx) => {
    const owner = { name: 'Store', ownerEmail: `${randomBytes(6).toString('hex')}@store.example` };
    const { tenant_id: tenantId } = await createTenant(tx, owner);
    const live = { tenantId, mode: 'live' as const };
    const paystack = { slot: 'provider_a', adapter: 'paystack', sandbox: false } as const;
    const draft = draftConnection(tx, live, { ...paystack, credentials });
    for (const url of [`${receiver.url}/webhooks`, ...webhookUrls])
      addEndpoint(tx, live, { url, eventTypes: defaultEventTypes });
    const { key } = addApiKey(tx, live, { kind: 'secret', name: null });
    return { connectionId: addConnection(tx, draft, 0).id, key };
  });
  await expectAnswer(sandboxUrl, {
    path: '/_control/accounts',
    body: {
      ...{ provider: 'paystack', slot: 'provider_a', mode: 'live', ...credentials },
      notification_url: `${publicUrl}/notifications/${connectionId}`,
    },
  });
  /** Repeated under its Idempotency-Key, as merchants do: an API that is killed answers nothing. */
  const order = () => {
    const body = { amount_kobo: 250_000, email: 'ada@example.com' };
    const call = { path: '/v1/charges', key, idempotencyKey: randomUUID(), body };
    return pRetry(() => expectAnswer<{ reference: string }>(publicUrl, call), { retries: 2 });
  };
  const isInWebhook = (reference: string) =>
    receiver.received.some(({ body }) => body.includes(`"${reference}"`));
  return {
    connectionId,
    order,
    /**
     * Orders until `closed`, and pays each charge as soon as the provider knows it; resolves when a
     * webhook has told of each payment, or with `over`.
     */
    async sell(everyMs: number, closed: AbortSignal, over: AbortSignal): Promise<Sales> {
      let refused = 0;
      const paying: Promise<boolean>[] = [];
      while (!closed.aborted) {
        const charge = await order().catch(() => undefined);
        if (charge) paying.push(pay(charge.reference));
        else refused++;
        await pause(everyMs, undefined, { signal: closed }).catch(() => {});
      }
      const paid = (await Promise.all(paying)).filter(Boolean).length;
      return { ordered: paying.length + refused, refused, paid };

      async function pay(reference: string): Promise<boolean> {
        const payment = { path: '/_control/pay', body: { reference, outcome: 'success' } };
        const patience = { everyMs: 1_000, ended: over };
        const isPaid = await until(patience, async () => {
          const answer = await callOnce(sandboxUrl, payment).catch(() => undefined);
          return answer?.status === 200 || undefined;
        });
        const isTold = await until(patience, async () => isInWebhook(reference) || undefined);
        return isPaid === true && isTold === true;
      }
    },
  };
}

export interface Sales {
  ordered: number;
  refused: number;
  paid: number;
}
