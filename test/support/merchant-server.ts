import { createHmac } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { listen } from '../../config/listen.ts';
import { memberOf } from './members.ts';
import type { Stack, TestTenant } from './stack.ts';

export type Merchant = Awaited<ReturnType<typeof newMerchant>>;

/** A new tenant, or another mode of one, and its developer; it begins without an endpoint. */
export async function newMerchant(stack: Stack, mode: 'live' | 'test' = 'test', of?: TestTenant) {
  const tenant = of ?? (await stack.newTenant({ connected: false }));
  if (!of) await stack.sql`delete from webhook_endpoints where tenant_id = ${tenant.tenant_id}`;
  const { token, memberId, api } = await memberOf(stack, tenant, 'developer', mode);
  return {
    ...{ tenant, memberId, token },
    /** The stack with this tenant, for helpers that write rows of `stack.tenant`. */
    of: { ...stack, tenant },
    ...api,
    post: (path: string, body?: object, idempotencyKey?: string) =>
      api.post(path, body, idempotencyKey ? { idempotencyKey } : {}),
  };
}

export interface Arrival {
  at: Date;
  headers: IncomingHttpHeaders;
  body: string;
  event: { id: string; type: string; data: Record<string, any> };
}

export interface MerchantServer extends AsyncDisposable {
  url: string;
  arrivals: Arrival[];
  answer: (response: ServerResponse, request: IncomingMessage) => void;
}

export function useMerchant(stack: Stack): Merchant {
  const merchant = {} as Merchant;
  beforeEach(async () => void Object.assign(merchant, await newMerchant(stack)));
  return merchant;
}

export function useMerchantServer(stack: Stack): MerchantServer {
  const server = {} as MerchantServer;
  beforeEach(() => startMerchantServer(stack.clock, server));
  afterEach(() => server[Symbol.asyncDispose]());
  return server;
}

/** Starts a merchant's server. Arrivals carry the time of `clock`. */
export async function startMerchantServer(
  clock: () => Date,
  merchantServer = {} as MerchantServer,
): Promise<MerchantServer> {
  Object.assign(merchantServer, {
    arrivals: [],
    answer: (response: ServerResponse) => void response.writeHead(200).end(),
  });
  const server = createServer(async (request, response) => {
    const at = clock();
    const body = await text(request);
    merchantServer.arrivals.push({ at, headers: request.headers, body, event: JSON.parse(body) });
    merchantServer.answer(response, request);
  });
  const { port, [Symbol.asyncDispose]: close } = await listen(server, 0, '127.0.0.1');
  return Object.assign(merchantServer, {
    url: `http://127.0.0.1:${port}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await close();
    },
  });
}

export function verified(
  { at, headers, body }: Arrival,
  secret: string,
): { plainly: boolean; byStandard: boolean } {
  const [stamp = '', ...signatures] = String(headers['service-signature']).split(',');
  const expected = createHmac('sha256', secret)
    .update(`${stamp.slice('t='.length)}.${body}`)
    .digest('hex');
  return {
    plainly: signatures.includes(`v1=${expected}`),
    byStandard: verifiedByStandard(headers, body, { secret, at }),
  };
}

/** The library reads the machine's clock, while tests move their own. */
function verifiedByStandard(
  headers: IncomingHttpHeaders,
  body: string,
  { secret, at }: { secret: string; at: Date },
): boolean {
  const realNow = Date.now;
  Date.now = () => at.getTime();
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = realNow;
  }
}

export const GENUINE = { plainly: true, byStandard: true };
export const FOREIGN = { plainly: false, byStandard: false };
