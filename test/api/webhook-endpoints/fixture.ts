import type { ServerResponse } from 'node:http';
import { SECOND } from '../../support/clock.ts';
import { publish } from '../../support/deliveries.ts';
import { newMerchant, useMerchant, useMerchantServer } from '../../support/merchant-server.ts';
import type { Stack } from '../../support/stack.ts';

export function useWebhookFixture(stack: Stack, settings: object = {}) {
  const merchant = useMerchant(stack);
  const server = useMerchantServer(stack);
  /** `begin` is a time before the endpoint was created. */
  const made = { id: '', path: '', secret: '', begin: '' };
  beforeEach(async () => {
    made.begin = stack.clock().toISOString();
    const { json } = await merchant.post('/webhook-endpoints', { url: server.url, ...settings });
    Object.assign(made, {
      id: json.id,
      secret: json.secret,
      path: `/webhook-endpoints/${json.id}`,
    });
  });
  const endpoint = async () => (await merchant.get(made.path)).json;
  return Object.assign(made, {
    ...{ merchant, server, endpoint },
    setStatus: (status: 'enabled' | 'disabled') => merchant.patch(made.path, { status }),
    resend: (since: unknown, idempotencyKey?: string) =>
      merchant.post(`${made.path}/resend`, { since }, idempotencyKey),
    async publishEvents(count = 1) {
      const events: string[] = [];
      for (let sent = 0; sent < count; sent++) events.push(await publish(merchant.of));
      await stack.settle();
      return events;
    },
    /** Delivers everything that was resent, also what exceeds the limit of a failing endpoint. */
    async deliverAll() {
      do await stack.pass(31 * SECOND);
      while ((await endpoint()).pending_deliveries > 0);
    },
    arrived: () => server.arrivals.map(({ event }) => event.id),
    deliveries: async (): Promise<any[]> =>
      (await merchant.get(`/deliveries?limit=100&endpoint=${made.id}`)).json.data,
    /** A token is valid for a day. */
    signInAgain: async () =>
      void Object.assign(merchant, await newMerchant(stack, 'test', merchant.tenant)),
  });
}

export const answering =
  (status: number, body = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);
