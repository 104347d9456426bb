import type { ServerResponse } from 'node:http';
import type { Answer } from '../../support/api.ts';
import { SECOND } from '../../support/clock.ts';
import { publish } from '../../support/deliveries.ts';
import {
  type Merchant,
  type MerchantServer,
  newMerchant,
  useMerchant,
  useMerchantServer,
} from '../../support/merchant-server.ts';
import type { Stack } from '../../support/stack.ts';

export interface WebhookFixture {
  merchant: Merchant;
  server: MerchantServer;
  id: string;
  path: string;
  secret: string;
  /** A time before the endpoint was created. */
  begin: string;
  endpoint(): Promise<any>;
  setStatus(status: 'enabled' | 'disabled'): Promise<Answer>;
  resend(since: unknown, idempotencyKey?: string): Promise<Answer>;
  publishEvents(count?: number): Promise<string[]>;
  advance(ms: number): Promise<void>;
  /** Delivers everything that was resent, also what exceeds the limit of a failing endpoint. */
  deliverAll(): Promise<void>;
  arrived(): string[];
  deliveries(): Promise<any[]>;
  /** Signs in again, because a token is valid for a day. */
  signInAgain(): Promise<void>;
}

export function useWebhookFixture(stack: Stack, endpoint: object = {}): WebhookFixture {
  const merchant = useMerchant(stack);
  const server = useMerchantServer(stack);
  const fixture = {
    ...{ merchant, server },
    endpoint: async () => (await merchant.get(fixture.path)).json,
    setStatus: (status) => merchant.patch(fixture.path, { status }),
    resend: (since, idempotencyKey) =>
      merchant.post(`${fixture.path}/resend`, { since }, idempotencyKey),
    async publishEvents(count = 1) {
      const events: string[] = [];
      for (let made = 0; made < count; made++) events.push(await publish(merchant.of));
      await stack.settle();
      return events;
    },
    advance: (ms) => stack.pass(ms),
    async deliverAll() {
      do await fixture.advance(31 * SECOND);
      while ((await fixture.endpoint()).pending_deliveries > 0);
    },
    arrived: () => server.arrivals.map(({ event }) => event.id),
    deliveries: async () =>
      (await merchant.get(`/deliveries?limit=100&endpoint=${fixture.id}`)).json.data,
    signInAgain: async () =>
      void Object.assign(merchant, await newMerchant(stack, 'test', merchant.tenant)),
  } as WebhookFixture;
  beforeEach(async () => {
    fixture.begin = stack.clock().toISOString();
    const made = await merchant.post('/webhook-endpoints', { url: server.url, ...endpoint });
    const { id, secret } = made.json;
    Object.assign(fixture, { id, secret, path: `/webhook-endpoints/${id}` });
  });
  return fixture;
}

export const answering =
  (status: number, body = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);
