import { expect } from 'chai';
import { DAY, MINUTE } from '../../support/clock.ts';
import { publish } from '../../support/deliveries.ts';
import {
  type Merchant,
  type MerchantServer,
  newMerchant,
  startMerchantServer,
} from '../../support/merchant-server.ts';
import type { Json } from '../../support/provider-account.ts';
import type { Stack } from '../../support/stack.ts';

export interface Listener extends AsyncDisposable {
  merchant: Merchant;
  server: MerchantServer;
  endpointId: string;
  secret: string;
  publishEvents(count?: number): Promise<string[]>;
  answers(status: number, headers?: Record<string, string>): void;
  /** The server leaves every request open until the test answers some of them, or all. */
  keepRequestsOpen(): { open: number; answer(status: number, count?: number): void };
  arrived(): string[];
  endpoint(): Promise<Json>;
  setStatus(status: 'enabled' | 'disabled'): Promise<Json>;
  /** Deliveries as the merchant reads them, oldest first, each with its tries. */
  deliveries(query?: string): Promise<Json[]>;
  delivery(query?: string): Promise<Json>;
  tried(): Promise<number[]>;
  /** The merchant with a valid token: tokens live for a day, and stories take longer. */
  signedIn(): Promise<Merchant>;
}

/** A listener for each test. Others of the same merchant name the first. */
export function useListener(stack: Stack, first?: Listener): Listener {
  const listener = {} as Listener;
  beforeEach(async () => void Object.assign(listener, await openListener(stack, first?.merchant)));
  afterEach(async () => {
    await cancelPending(stack);
    await listener[Symbol.asyncDispose]?.();
  });
  return listener;
}

export async function openListener(stack: Stack, merchant?: Merchant): Promise<Listener> {
  const of = merchant ?? (await newMerchant(stack));
  const server = await startMerchantServer(stack.clock);
  const { json } = await (await signedIn(stack, of)).post('/webhook-endpoints', {
    url: server.url,
  });
  const deliveries = async (query = '') => {
    const { get } = await signedIn(stack, of);
    const { data } = (await get(`/deliveries?limit=100&endpoint=${json.id}&${query}`)).json;
    return Promise.all(
      data.reverse().map(async ({ id }: Json) => (await get(`/deliveries/${id}`)).json),
    );
  };
  const listener: Listener = {
    ...{ merchant: of, server, endpointId: json.id, secret: json.secret, deliveries },
    async publishEvents(count = 1) {
      const events: string[] = [];
      for (let made = 0; made < count; made++) events.push(await publish(of.of));
      return events;
    },
    answers: (status, headers = {}) => {
      server.answer = (response) => void response.writeHead(status, headers).end('noted');
    },
    keepRequestsOpen: () => keepRequestsOpen(server),
    arrived: () => server.arrivals.map(({ event }) => event.id),
    endpoint: async () =>
      (await (await signedIn(stack, of)).get(`/webhook-endpoints/${json.id}`)).json,
    setStatus: async (status) =>
      (await (await signedIn(stack, of)).patch(`/webhook-endpoints/${json.id}`, { status })).json,
    async delivery(query) {
      const [only, ...others] = await deliveries(query);
      if (!only || others.length > 0)
        throw new Error(`There are ${others.length + (only ? 1 : 0)} deliveries.`);
      return only;
    },
    tried: async () => (await listener.delivery()).tries.map((made: Json) => made.status_code),
    signedIn: () => signedIn(stack, of),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return listener;
}

const signIns = new WeakMap<Merchant, { at: number; as: Merchant }>();

async function signedIn(stack: Stack, merchant: Merchant): Promise<Merchant> {
  const now = stack.clock().getTime();
  const known = signIns.get(merchant) ?? { at: Number.NEGATIVE_INFINITY, as: merchant };
  if (now - known.at < DAY / 2) return known.as;
  const as = await newMerchant(stack, 'test', merchant.tenant);
  signIns.set(merchant, { at: now, as });
  return as;
}

function keepRequestsOpen(server: MerchantServer) {
  const open: Parameters<MerchantServer['answer']>[0][] = [];
  server.answer = (response) => {
    open.push(response);
    response.on('close', () => {
      const index = open.indexOf(response);
      if (index >= 0) open.splice(index, 1);
    });
  };
  return {
    get open() {
      return open.length;
    },
    answer(status: number, count = open.length) {
      for (const response of open.splice(0, count)) response.writeHead(status).end('noted');
    },
  };
}

export async function cancelPending({ context }: Stack): Promise<void> {
  await context.db.query(
    `update deliveries set status = 'cancelled', due_at = null where status = 'pending'`,
  );
}

/** Enables the endpoint and requests what it missed; returns how many deliveries are due. */
export async function sendMissed(stack: Stack, listener: Listener): Promise<number> {
  const { status, missed_since: since } = await listener.setStatus('enabled');
  expect(status).to.equal('enabled');
  listener.server.arrivals.length = 0;
  listener.answers(200);
  const api = await listener.signedIn();
  const { json } = await api.post(`/webhook-endpoints/${listener.endpointId}/resend`, { since });
  await stack.settle(); // or the lease of what is in flight would end
  await stack.pass(MINUTE);
  return json.scheduled;
}
