import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../domain/shared/sql.ts';
import { createApp } from './app.ts';
import type { SandboxContext } from './context.ts';
import { createFaultSettings } from './faults.ts';
import { flutterwave } from './flutterwave/provider.ts';
import { monnify } from './monnify/provider.ts';
import { createNotifier } from './notifier.ts';
import { paystack } from './paystack/provider.ts';
import { advanceRefunds } from './refunds.ts';
import { prepareSchema } from './schema.ts';
import { createStore } from './store.ts';

export interface SandboxOptions {
  sql: Database;
  /** 0 takes a free one. */
  port: number;
  host?: '127.0.0.1';
  now: () => Date;
  random: () => number;
  log?: (message: string, fields?: object) => void;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const TICK_MS = 250;
/** Calls in flight at closing get this long to be answered. */
const GRACE_MS = 1_000;

/** Starts the provider sandbox; a restart finds its state in the schema `sandbox`. */
export async function startSandbox(options: SandboxOptions) {
  await prepareSchema(options.sql);
  const store = createStore(options.sql);
  await store.load();
  const server = createServer();
  const url = await listen(server, options.port, options.host ?? '127.0.0.1');
  const closing = new AbortController();
  const context = createContext({ ...options, store, url, closing: closing.signal });
  const notifier = createNotifier(context);
  context.sendDue = notifier.sendDue;
  server.on('request', createApp(context));

  const timer = setInterval(() => doDue(context), TICK_MS);
  async function shutDown(): Promise<void> {
    closing.abort();
    clearInterval(timer);
    await closeServer(server, context.unanswered);
    await notifier.close();
    await store.saved().catch((error) => context.log('not saved', { error: String(error) }));
  }
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= shutDown());
  return {
    url,
    store,
    /** Resolves when no notification is under way. */
    idle: notifier.idle,
    /** Does what time has made due; tests call it after moving the clock. */
    tick() {
      doDue(context);
      return notifier.idle();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Given = Pick<SandboxContext, 'store' | 'url' | 'now' | 'random' | 'closing'> &
  Pick<SandboxOptions, 'log'>;

/** What the sandbox's parts work on. Faults are none, and notifications are not sent yet. */
export function createContext({ log = () => {}, ...given }: Given): SandboxContext {
  return {
    ...given,
    log,
    providers: { paystack, flutterwave, monnify },
    faults: createFaultSettings(),
    counts: {},
    sendDue() {},
    unanswered: new Set(),
  };
}

/** Nobody waits for what it writes. */
function doDue(context: SandboxContext): void {
  advanceRefunds(context);
  context.sendDue();
  context.store.saved().catch((error) => context.log('not saved', { error: String(error) }));
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(`http://${host}:${(server.address() as AddressInfo).port}`);
    });
  });
}

/** Lets the calls in flight be answered, except those that never would be. */
async function closeServer(server: Server, unanswered: Set<ServerResponse>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const response of unanswered) response.destroy();
  await Promise.race([closed, pause(GRACE_MS, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
