import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../config/listen.ts';
import { eventTypes } from '../../domain/webhooks/entities/event.ts';
import { signatureHeaders } from '../../domain/webhooks/signature.ts';
import type { BenchTenant } from '../bench/stack.ts';
import { importFrom } from './other-version.ts';
import type { ChaosStack } from './stack.ts';

export interface Merchant extends Pick<BenchTenant, 'tenantId' | 'owner' | 'webhookSecret'> {
  key: string;
}

export interface ReceivedWebhook {
  tenantId: string;
  eventId: string;
  type: string;
  subject: string;
  atMs: number;
  isSigned: boolean;
}

/** The merchants with their servers, which record every webhook. */
export type Merchants = Awaited<ReturnType<typeof openMerchants>>;

export async function openMerchants(
  scope: AsyncDisposableStack,
  { env, sandboxUrl, otherVersion }: ChaosStack,
  count: number,
) {
  // Merchants are written by the version that has the schema now.
  const { addTenant, openOn }: typeof import('../bench/stack.ts') = await importFrom(
    otherVersion,
    'scripts/bench/stack.ts',
  );
  const { registerSandboxAccounts }: typeof import('../sandbox-tenant.ts') = await importFrom(
    otherVersion,
    'scripts/sandbox-tenant.ts',
  );
  const all: Merchant[] = [];
  const received: ReceivedWebhook[] = [];
  const paid = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const merchant = all[Number(request.url?.slice(1))];
    if (merchant) {
      const webhook = readWebhook(merchant, request, body, Date.now());
      received.push(webhook);
      if (webhook.type === 'charge.succeeded') paid.add(webhook.subject);
    }
    response.setHeader('content-type', 'application/json').end('{"received":true}');
  });
  const { port } = scope.use(await listen(server, 0, '127.0.0.1'));
  await using context = await openOn({ ...env, SANDBOX_URL: sandboxUrl });
  while (all.length < count) {
    const webhookUrl = `http://localhost:${port}/${all.length}`;
    const wanted = { secretKeys: 1, isOnSandbox: true, webhookUrl, eventTypes };
    const { keys, ...merchant } = await addTenant(context, wanted);
    all.push({ ...merchant, key: keys[0]! });
  }
  await registerSandboxAccounts(context);
  return { all, received, paid };
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
