import type { ServerResponse } from 'node:http';
import type { Answer } from '../../support/api.ts';
import { SECOND } from '../../support/clock.ts';
import { publish } from '../../support/deliveries.ts';
import type { Stack } from '../../support/stack.ts';
import { type Merchant, newMerchant, type Shop, startShop } from './given.ts';

/** A new merchant with one endpoint, and the server behind it. */
export interface Store extends AsyncDisposable {
  merchant: Merchant;
  shop: Shop;
  /** Of the endpoint. */
  id: string;
  /** Before the endpoint was made. */
  begin: string;
  endpoint(): Promise<any>;
  turn(status: 'enabled' | 'disabled'): Promise<Answer>;
  resend(since: unknown, idempotencyKey?: string): Promise<Answer>;
  /** Publishes events and lets the workers send them; returns their ids. */
  happened(count?: number): Promise<string[]>;
  /** Lets what is due within some time go out. */
  wait(ms: number): Promise<void>;
  /** Lets everything go out that was resent: what finds too much on its way to a shop that failed just now is put back for half a minute. */
  allSent(): Promise<void>;
  /** Ids of the events that arrived. */
  arrived(): string[];
  /** What was made for the endpoint, newest first. */
  deliveries(): Promise<any[]>;
  /** A token is good for a day. */
  signInAgain(): Promise<void>;
}

/** Opens one. */
export async function openStore(stack: Stack): Promise<Store> {
  const shop = await startShop(stack.clock);
  const begin = stack.clock().toISOString();
  const merchant = await newMerchant(stack);
  const { id } = (await merchant.post('/webhook-endpoints', { url: shop.url })).json;
  const path = `/webhook-endpoints/${id}`;
  const store: Store = {
    ...{ merchant, shop, id, begin },
    endpoint: async () => (await store.merchant.get(path)).json,
    turn: (status) => store.merchant.patch(path, { status }),
    resend: (since, idempotencyKey) =>
      store.merchant.post(`${path}/resend`, { since }, idempotencyKey),
    async happened(count = 1) {
      const events: string[] = [];
      for (let made = 0; made < count; made++) events.push(await publish(merchant.of));
      await stack.settle();
      return events;
    },
    async wait(ms) {
      stack.clock.advance(ms);
      await stack.settle();
    },
    async allSent() {
      do await store.wait(31 * SECOND);
      while ((await store.endpoint()).pending_deliveries > 0);
    },
    arrived: () => shop.arrivals.map(({ event }) => event.id),
    deliveries: async () =>
      (await store.merchant.get(`/deliveries?limit=100&endpoint=${id}`)).json.data,
    async signInAgain() {
      store.merchant = await newMerchant(stack, 'test', merchant.tenant);
    },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
  return store;
}

/** What a shop does that answers everything so. */
export const answering = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status).end();
