import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Context, openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { createLogger } from '../../config/logger.ts';
import { addApiKey } from '../../domain/accounts/api-key/api-keys.ts';
import { createTenant } from '../../domain/accounts/tenant/create-tenant.ts';
import { freePort } from '../local/free-port.ts';
import { addSandboxConnections, registerSandboxAccounts } from '../sandbox-tenant.ts';
import { BenchFailure } from './bench.ts';
import { openBenchStack } from './bench-stack.ts';
import { type Child, startChild, untilReady } from './child.ts';

/** Merchants with three connections to a running sandbox, and one worker process. */
export interface BulkheadStack extends AsyncDisposable {
  context: Context;
  worker: Child;
  /** Their secret keys. */
  keys: string[];
  /** How long the sandbox's Monnify takes to answer. */
  slowDown(latencyMs: number): Promise<void>;
}

export async function openBulkheadStack(merchants: number): Promise<BulkheadStack> {
  await using opening = new AsyncDisposableStack();
  const stack = opening.use(await openBenchStack());
  const port = await freePort();
  const sandboxUrl = `http://127.0.0.1:${port}`;
  const env = { ...stack.env, SANDBOX_URL: sandboxUrl };
  opening.use(await startSandbox(stack.dir, env, port));
  const log = createLogger('error');
  const context = opening.use(await openContext(readEnv(env), { log }));
  const keys: string[] = [];
  while (keys.length < merchants) keys.push(await addMerchant(context));
  await registerSandboxAccounts(context);
  const main = fileURLToPath(new URL('../../workers/main.ts', import.meta.url));
  const worker = opening.use(
    await startChild({
      name: 'worker',
      command: process.execPath,
      args: [main, 'charge-create'],
      env,
      logFile: join(stack.dir, 'worker.log'),
    }),
  );
  const running = opening.move();
  return {
    context,
    worker,
    keys,
    slowDown: (latencyMs) => setLatency(sandboxUrl, latencyMs),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function startSandbox(
  dir: string,
  env: Record<string, string>,
  port: number,
): Promise<Child> {
  const main = fileURLToPath(new URL('../sandbox/main.ts', import.meta.url));
  const sandbox = await startChild({
    name: 'sandbox',
    command: process.execPath,
    args: [main, '--port', String(port)],
    env,
    logFile: join(dir, 'sandbox.log'),
  });
  await untilReady(sandbox, () => fetch(`http://127.0.0.1:${port}/_control/stats`));
  return sandbox;
}

async function addMerchant(context: Context): Promise<string> {
  return context.transaction(async (tx) => {
    const { tenant_id: tenantId } = await createTenant(tx, {
      name: 'Bench Store',
      ownerEmail: `owner-${randomBytes(6).toString('hex')}@bench.example`,
    });
    addSandboxConnections(tx, context, tenantId);
    return addApiKey(tx, { tenantId, mode: 'test' }, { kind: 'secret', name: null }).key;
  });
}

async function setLatency(sandboxUrl: string, latencyMs: number): Promise<void> {
  const { ok, status } = await fetch(`${sandboxUrl}/_control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'monnify', latency_ms: latencyMs }),
  });
  if (!ok) throw new BenchFailure(`The sandbox answered ${status}.`);
}
