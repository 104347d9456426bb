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

export type Listener = Awaited<ReturnType<typeof openListener>>;

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

/** A merchant's server behind a webhook endpoint: of a new merchant, or of this one. */
export async function openListener(stack: Stack, of?: Merchant) {
  const merchant = of ?? (await newMerchant(stack));
  const server = await startMerchantServer(stack.clock);
  /** The merchant with a valid token: tokens live for a day, and stories take longer. */
  const signedIn = () => signIn(stack, merchant);
  const made = await (await signedIn()).post('/webhook-endpoints', { url: server.url });
  const { id: endpointId, secret } = made.json as Record<'id' | 'secret', string>;
  const path = `/webhook-endpoints/${endpointId}`;
  /** Deliveries as the merchant reads them, oldest first, each with its tries. */
  const deliveries = async (query = ''): Promise<Json[]> => {
    const { get } = await signedIn();
    const { data } = (await get(`/deliveries?limit=100&endpoint=${endpointId}&${query}`)).json;
    return Promise.all(
      data.reverse().map(async ({ id }: Json) => (await get(`/deliveries/${id}`)).json),
    );
  };
  const change = async (fields: object): Promise<Json> =>
    (await (await signedIn()).patch(path, fields)).json;
  const delivery = async (query?: string): Promise<Json> => {
    const found = await deliveries(query);
    if (found.length !== 1) throw new Error(`There are ${found.length} deliveries.`);
    return found[0]!;
  };
  return {
    ...{ merchant, server, endpointId, secret, path, signedIn, change, deliveries, delivery },
    async publishEvents(count = 1) {
      const events: string[] = [];
      for (let made = 0; made < count; made++) events.push(await publish(merchant.of));
      return events;
    },
    answers(status: number, headers: Record<string, string> = {}) {
      server.answer = (response) => void response.writeHead(status, headers).end('noted');
    },
    keepRequestsOpen: () => keepRequestsOpen(server),
    arrived: () => server.arrivals.map(({ event }) => event.id),
    endpoint: async (): Promise<Json> => (await (await signedIn()).get(path)).json,
    setStatus: (status: 'enabled' | 'disabled') => change({ status }),
    tried: async () => codesOf(await delivery()),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export const codesOf = ({ tries }: Json): (number | null)[] =>
  tries.map((made: Json) => made.status_code);

const signIns = new WeakMap<Merchant, { at: number; as: Merchant }>();

async function signIn(stack: Stack, merchant: Merchant): Promise<Merchant> {
  const now = stack.clock().getTime();
  const known = signIns.get(merchant) ?? { at: Number.NEGATIVE_INFINITY, as: merchant };
  if (now - known.at < DAY / 2) return known.as;
  const as = await newMerchant(stack, 'test', merchant.tenant);
  signIns.set(merchant, { at: now, as });
  return as;
}

/** The server leaves every request open until the test answers some of them, or all. */
function keepRequestsOpen(server: MerchantServer) {
  const open: Parameters<MerchantServer['answer']>[0][] = [];
  const requests = {
    /** The most that were open at one moment. */
    most: 0,
    get open() {
      return open.length;
    },
    answer(status: number, count = open.length) {
      for (const response of open.splice(0, count)) response.writeHead(status).end('noted');
    },
  };
  server.answer = (response) => {
    requests.most = Math.max(requests.most, open.push(response));
    response.on('close', () => {
      const index = open.indexOf(response);
      if (index >= 0) open.splice(index, 1);
    });
  };
  return requests;
}

export async function cancelPending({ sql }: Stack): Promise<void> {
  await sql`update deliveries set status = 'cancelled', due_at = null where status = 'pending'`;
}

/** Enables the endpoint and requests what it missed; returns how many deliveries are due. */
export async function sendMissed(stack: Stack, listener: Listener): Promise<number> {
  const { status, missed_since: since } = await listener.setStatus('enabled');
  expect(status).to.equal('enabled');
  listener.server.arrivals.length = 0;
  listener.answers(200);
  const { json } = await (await listener.signedIn()).post(`${listener.path}/resend`, { since });
  await stack.settle(); // or the lease of what is in flight would end
  await stack.pass(MINUTE);
  return json.scheduled;
}
