import { createServer, type IncomingMessage } from 'node:http';
import { type Context, openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { listen } from '../../config/listen.ts';
import { createLogger } from '../../config/logger.ts';
import { createTenant } from '../../domain/accounts/tenant/create-tenant.ts';
import { addEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import { signatureHeaders } from '../../domain/webhooks/signature.ts';
import { addSandboxConnections, registerSandboxAccounts } from '../sandbox-tenant.ts';
import type { ChaosStack } from './stack.ts';

export interface Merchant {
  index: number;
  tenantId: string;
  /** Its secret key in test mode. */
  key: string;
  owner: { email: string; password: string };
  webhookSecret: string;
}

/** A webhook as a merchant's server received it. */
export interface ReceivedWebhook {
  tenantId: string;
  eventId: string;
  type: string;
  /** What it is about: the reference of a charge, or the id of a refund. */
  subject: string;
  atMs: number;
  isSigned: boolean;
}

/** The merchants with their servers, which record every webhook. */
export interface Merchants extends AsyncDisposable {
  all: Merchant[];
  received: ReceivedWebhook[];
  /** The references of charges that were announced as paid. */
  paid: ReadonlySet<string>;
}

export async function openMerchants(stack: ChaosStack, count: number): Promise<Merchants> {
  await using opening = new AsyncDisposableStack();
  const all: Merchant[] = [];
  const received: ReceivedWebhook[] = [];
  const paid = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const merchant = all[Number(request.url?.slice(1))];
    if (merchant) {
      const webhook = readWebhook(merchant, request, body, Date.now());
      received.push(webhook);
      if (webhook.type === 'charge.succeeded') paid.add(webhook.subject);
    }
    response.setHeader('content-type', 'application/json').end('{"received":true}');
  });
  const receiver = opening.use(await listen(server, 0, '127.0.0.1'));
  await using context = await openContext(readEnv(stack.env), { log: createLogger('error') });
  for (let index = 0; index < count; index++)
    all.push(await addMerchant(context, index, `http://127.0.0.1:${receiver.port}/${index}`));
  await registerSandboxAccounts(context);
  const running = opening.move();
  return { all, received, paid, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** It wants every type of event about payments. */
const eventTypes = [
  'charge.succeeded',
  'charge.failed',
  'charge.disputed',
  'refund.completed',
  'refund.failed',
] as const;

function addMerchant(context: Context, index: number, url: string): Promise<Merchant> {
  return context.transaction(async (tx) => {
    const tenant = await createTenant(tx, {
      name: `Store ${index}`,
      ownerEmail: `owner-${index}@chaos.example`,
    });
    const { tenant_id: tenantId, secret_key_test: key, owner } = tenant;
    addSandboxConnections(tx, context, tenantId);
    const { secret } = addEndpoint(tx, { tenantId, mode: 'test' }, { url, eventTypes });
    return { index, tenantId, key, owner, webhookSecret: secret };
  });
}

function readWebhook(
  { tenantId, webhookSecret }: Merchant,
  { headers }: IncomingMessage,
  body: string,
  atMs: number,
): ReceivedWebhook {
  const event = JSON.parse(body);
  const timestamp = Number(headers['webhook-timestamp']);
  const expected = signatureHeaders({ eventId: event.id, body, timestamp }, [webhookSecret]);
  const isSigned = Object.entries(expected).every(([name, value]) => headers[name] === value);
  const subject = event.type.startsWith('refund.') ? event.data.id : event.data.reference;
  return { tenantId, eventId: event.id, type: event.type, subject, atMs, isSigned };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
