import { createServer } from 'node:http';
import { listen } from '../../config/listen.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { createApp } from './app.ts';
import type { SandboxContext } from './context.ts';
import { noFaults } from './faults.ts';
import { flutterwave } from './flutterwave/provider.ts';
import { monnify } from './monnify/provider.ts';
import { createNotifier } from './notifications.ts';
import { paystack } from './paystack/provider.ts';
import { advanceRefunds } from './refunds.ts';
import { advanceScenarios } from './scenarios.ts';
import { prepareSchema } from './schema.ts';
import { createStore } from './store.ts';

export interface SandboxOptions {
  sql: Sql;
  /** 0 takes a free one. */
  port: number;
  now: () => Date;
  random: () => number;
  log?: (message: string, fields?: object) => void;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const TICK_MS = 250;

/** Starts the provider sandbox; a restart finds its state in the schema `sandbox`. */
export async function startSandbox(options: SandboxOptions) {
  await prepareSchema(options.sql);
  const store = createStore(options.sql);
  await store.load();
  const server = createServer();
  const listening = await listen(server, options.port, '127.0.0.1');
  const url = `http://127.0.0.1:${listening.port}`;
  const closing = new AbortController();
  const context = createContext({ ...options, store, url, closing: closing.signal });
  const notifier = createNotifier(context);
  context.sendDue = notifier.sendDue;
  server.on('request', createApp(context));

  /** Resolves when no notification and no customer is under way. */
  async function idle(): Promise<void> {
    while (context.visits.size > 0) await Promise.all(context.visits);
    await notifier.idle();
  }

  const timer = setInterval(() => doDue(context), TICK_MS);
  async function shutDown(): Promise<void> {
    closing.abort();
    clearInterval(timer);
    for (const response of context.unanswered) response.destroy();
    await listening[Symbol.asyncDispose]();
    await Promise.all(context.visits);
    await notifier.close();
    await store.saved().catch((error) => context.log('not saved', { error: String(error) }));
  }
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= shutDown());
  return {
    url,
    store,
    idle,
    /** Does what time has made due; tests call it after moving the clock. */
    tick() {
      doDue(context);
      return idle();
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
    faults: { paystack: noFaults, flutterwave: noFaults, monnify: noFaults },
    sendDue() {},
    unanswered: new Set(),
    visits: new Set(),
  };
}

/** Nobody waits for what it writes. */
function doDue(context: SandboxContext): void {
  advanceRefunds(context);
  advanceScenarios(context);
  context.sendDue();
  context.store.saved().catch((error) => context.log('not saved', { error: String(error) }));
}
