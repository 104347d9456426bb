import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../config/context.ts';
import { addEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import { defaultEventTypes } from '../../domain/webhooks/event/publish.ts';
import { BenchFailure } from './bench.ts';
import { addTenant, type BenchStack, openBenchStack } from './bench-stack.ts';
import { type Child, startChild } from './child.ts';
import { type Server, startServer } from './server.ts';

/**
 * Merchants with one webhook endpoint each, a process that receives for them all, and one worker
 * process that delivers to them.
 */
export interface DeliveryStack extends AsyncDisposable {
  stack: BenchStack;
  worker: Child;
  receiver: Server;
  endpoints: Endpoint[];
}

export interface Endpoint {
  id: string;
  tenantId: string;
  url: string;
}

export async function openDeliveryStack(merchants: number): Promise<DeliveryStack> {
  await using opening = new AsyncDisposableStack();
  const stack = opening.use(await openBenchStack());
  const { dir } = stack;
  const env = { NODE_ENV: 'production', ENDPOINTS: String(merchants) };
  const main = 'scripts/bench/receiver.ts';
  const receiver = opening.use(
    await startServer({
      name: 'receiver',
      main,
      env,
      logFile: join(dir, 'receiver.log'),
      readyPath: '/',
    }),
  );
  const { ports } = await call<{ ports: number[] }>(receiver, '/');
  const endpoints: Endpoint[] = [];
  for (const port of ports)
    endpoints.push(await addMerchant(stack.context, `http://127.0.0.1:${port}/webhooks/payments`));
  const worker = opening.use(
    await startChild({
      name: 'worker',
      command: process.execPath,
      args: [fileURLToPath(new URL('../../workers/main.ts', import.meta.url)), 'webhook-deliver'],
      env: { ...stack.env, WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
      logFile: join(dir, 'worker.log'),
    }),
  );
  const running = opening.move();
  return {
    stack,
    worker,
    receiver,
    endpoints,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function addMerchant(context: Context, url: string): Promise<Endpoint> {
  const { tenantId } = await addTenant(context, 0);
  const { row } = await context.transaction(async (tx) =>
    addEndpoint(tx, { tenantId, mode: 'test' }, { url, eventTypes: defaultEventTypes }),
  );
  return { id: row.id, tenantId, url };
}

/** Calls a process of the bench. Throws with what it printed when it does not answer. */
export async function call<Answer>(
  server: Server,
  path: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<Answer> {
  try {
    const response = await fetch(`${server.url}${path}`, { method });
    return (await response.json()) as Answer;
  } catch (error) {
    throw new BenchFailure(
      `The ${server.name} did not answer (${(error as Error).message}). It printed last:\n${await server.tail()}`,
    );
  }
}

/**
 * What the receivers took since they were last asked: whose, and how long after its event. An event
 * that came twice counts once.
 */
export async function takeArrivals({
  receiver,
}: DeliveryStack): Promise<[endpoint: number, ms: number][]> {
  const { arrivals } = await call<{ arrivals: [number, number][] }>(receiver, '/arrivals');
  return arrivals;
}
