import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../config/context.ts';
import { listen } from '../../config/listen.ts';
import { addApiKey } from '../../domain/accounts/api-key/api-keys.ts';
import { createTenant } from '../../domain/accounts/tenant/create-tenant.ts';
import { addEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import { defaultEventTypes } from '../../domain/webhooks/event/publish.ts';
import { addSandboxConnections, registerSandboxAccounts } from '../sandbox-tenant.ts';
import { type BenchStack, openBenchStack, startApi } from './bench-stack.ts';
import { type Child, startChild } from './child.ts';
import { type BenchSandbox, startBenchSandbox } from './sandbox.ts';
import type { Server } from './server.ts';
import { countingSettings, prepareCounting } from './statement-kinds.ts';

/** Everything that the life of a charge needs, each part in a process of its own. */
export interface PipelineStack extends AsyncDisposable {
  stack: BenchStack;
  sandbox: BenchSandbox;
  api: Server;
  workers: Child;
  /** A secret key of each merchant. */
  keys: string[];
  /** The body of each webhook that a merchant received, with the time of its arrival. */
  onWebhook: (listener: (body: string, atMs: number) => void) => void;
}

/** The time of each commit is kept, so that it can be read when nothing is measured any more. */
const settings = [...countingSettings, 'track_commit_timestamp=on'];

/** `env`: further settings of the service's processes. */
export async function openPipelineStack(
  merchants: number,
  env: Record<string, string> = {},
): Promise<PipelineStack> {
  await using opening = new AsyncDisposableStack();
  const stack = opening.use(await openBenchStack(settings));
  Object.assign(stack.env, env);
  const { context } = stack;
  await prepareCounting(context.db);
  const sandbox = opening.use(await startBenchSandbox(stack.dir));
  stack.env.SANDBOX_URL = sandbox.url;
  stack.env.WEBHOOK_ALLOWED_HOSTS = '127.0.0.1';
  const receiver = opening.use(await startReceiver());
  const keys: string[] = [];
  for (let merchant = 0; merchant < merchants; merchant++)
    keys.push(await addMerchant(context, `http://127.0.0.1:${receiver.port}/${merchant}`));
  const api = opening.use(await startApi(stack));
  context.env.sandboxUrl = sandbox.url;
  context.env.publicUrl = api.url;
  await registerSandboxAccounts(context);
  const workers = opening.use(await startWorkers(stack));
  const running = opening.move();
  return {
    stack,
    sandbox,
    api,
    workers,
    keys,
    onWebhook: receiver.onWebhook,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function addMerchant(context: Context, url: string): Promise<string> {
  return context.transaction(async (tx) => {
    const { tenant_id: tenantId } = await createTenant(tx, {
      name: 'Bench Store',
      ownerEmail: `owner-${new URL(url).pathname.slice(1)}@bench.example`,
    });
    addSandboxConnections(tx, context, tenantId);
    const test = { tenantId, mode: 'test' as const };
    addEndpoint(tx, test, { url, eventTypes: defaultEventTypes });
    return addApiKey(tx, test, { kind: 'secret', name: null }).key;
  });
}

/** All pools in one process. */
function startWorkers({ dir, env }: BenchStack): Promise<Child> {
  return startChild({
    name: 'workers',
    command: process.execPath,
    args: [fileURLToPath(new URL('../../workers/main.ts', import.meta.url))],
    env,
    logFile: join(dir, 'workers.log'),
  });
}

const RECEIVED = { 'Content-Type': 'application/json', 'Content-Length': 17 };

/** The merchants' side of webhooks, in this process: it does as little as it can. */
async function startReceiver() {
  let listener: (body: string, atMs: number) => void = () => {};
  const receive: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      listener(body, Date.now());
      response.writeHead(200, RECEIVED).end('{"received":true}');
    });
  };
  const server = await listen(createServer(receive), 0, '127.0.0.1');
  return {
    port: server.port,
    onWebhook: (next: typeof listener) => {
      listener = next;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
