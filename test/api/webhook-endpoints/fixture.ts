import type { ServerResponse } from 'node:http';
import type { Answer } from '../../support/api.ts';
import { SECOND } from '../../support/clock.ts';
import { publish } from '../../support/deliveries.ts';
import {
  type Merchant,
  type MerchantServer,
  newMerchant,
  startMerchantServer,
} from '../../support/merchant-server.ts';
import type { Stack } from '../../support/stack.ts';

/** A new merchant with one endpoint, and the server behind it. */
export interface WebhookFixture extends AsyncDisposable {
  merchant: Merchant;
  server: MerchantServer;
  /** The id of the endpoint. */
  id: string;
  /** A time before the endpoint was created. */
  begin: string;
  endpoint(): Promise<any>;
  setStatus(status: 'enabled' | 'disabled'): Promise<Answer>;
  resend(since: unknown, idempotencyKey?: string): Promise<Answer>;
  /** Publishes events and lets the workers send them; returns their ids. */
  publishEvents(count?: number): Promise<string[]>;
  /** Advances the clock and lets the workers send what is due. */
  advance(ms: number): Promise<void>;
  /** Delivers everything that was resent, also what exceeds the limit of a failing endpoint. */
  deliverAll(): Promise<void>;
  /** Ids of the events that arrived. */
  arrived(): string[];
  /** The deliveries of the endpoint, newest first. */
  deliveries(): Promise<any[]>;
  /** Signs in again, because a token is valid for a day. */
  signInAgain(): Promise<void>;
}

/** Creates a merchant with an endpoint and starts the server behind it. */
export async function webhookFixture(stack: Stack): Promise<WebhookFixture> {
  const server = await startMerchantServer(stack.clock);
  const begin = stack.clock().toISOString();
  const merchant = await newMerchant(stack);
  const { id } = (await merchant.post('/webhook-endpoints', { url: server.url })).json;
  const path = `/webhook-endpoints/${id}`;
  const fixture: WebhookFixture = {
    ...{ merchant, server, id, begin },
    endpoint: async () => (await fixture.merchant.get(path)).json,
    setStatus: (status) => fixture.merchant.patch(path, { status }),
    resend: (since, idempotencyKey) =>
      fixture.merchant.post(`${path}/resend`, { since }, idempotencyKey),
    async publishEvents(count = 1) {
      const events: string[] = [];
      for (let made = 0; made < count; made++) events.push(await publish(merchant.of));
      await stack.settle();
      return events;
    },
    async advance(ms) {
      stack.clock.advance(ms);
      await stack.settle();
    },
    async deliverAll() {
      do await fixture.advance(31 * SECOND);
      while ((await fixture.endpoint()).pending_deliveries > 0);
    },
    arrived: () => server.arrivals.map(({ event }) => event.id),
    deliveries: async () =>
      (await fixture.merchant.get(`/deliveries?limit=100&endpoint=${id}`)).json.data,
    async signInAgain() {
      fixture.merchant = await newMerchant(stack, 'test', merchant.tenant);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return fixture;
}

/** Answers every request with this status. */
export const answering = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status).end();
