import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../domain/shared/sql.ts';
import { advanceRefunds } from './advance-refunds.ts';
import { createApp } from './app.ts';
import { createBatched } from './batched.ts';
import type { SandboxContext } from './context.ts';
import { createFaultSettings } from './faults.ts';
import { flutterwave } from './flutterwave/flutterwave.ts';
import { monnify } from './monnify/monnify.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { paystack } from './paystack/paystack.ts';
import { prepareSchema } from './schema.ts';
import { createTransactionNumbers } from './transaction-numbers.ts';

export interface SandboxOptions {
  sql: Database;
  /** 0 takes a free one. */
  port: number;
  host?: '127.0.0.1';
  now: () => Date;
  random: () => number;
  log?: (message: string, fields?: object) => void;
  /** How long calls at once are collected before they share a statement. */
  spacingMs?: number;
}

export interface Sandbox extends AsyncDisposable {
  /**
   * http://127.0.0.1:PORT; each provider's API is below its name, the control side below
   * `/_control`.
   */
  url: string;
  /** Resolves when no notification is under way. */
  idle(): Promise<void>;
  /**
   * Does what time has made due: refunds and notifications. A timer does the same; tests call it
   * after moving the clock.
   */
  tick(): Promise<void>;
  close(): Promise<void>;
}

const tickMs = 250;
/** Short beside the time that providers take to answer. */
const SPACING_MS = 20;
/** Calls in flight at closing get this long to be answered. */
const graceMs = 1_000;

/**
 * Starts the provider sandbox. Its state is in the schema `sandbox` of the database, so that a
 * restart finds everything.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  await prepareSchema(options.sql);
  const server = createServer();
  const url = await listen(server, options.port, options.host ?? '127.0.0.1');
  const closing = new AbortController();
  const context = createContext(options, url, closing.signal);
  const notifier = createNotifier(context);
  context.notifier = notifier;
  const inFlight = trackCalls(server);
  server.on('request', createApp(context));

  const stopTicking = startTicking(context);
  async function shutDown(): Promise<void> {
    closing.abort();
    await stopTicking();
    await closeServer(server, inFlight, context.unanswered);
    await notifier.close();
  }
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= shutDown());
  return {
    url,
    idle: notifier.idle,
    tick: () => tick(context, notifier),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What the sandbox's parts work on. Faults are none, and notifications are not sent yet. */
export function createContext(
  options: Omit<SandboxOptions, 'port'>,
  url: string,
  closing: AbortSignal,
): SandboxContext {
  return {
    sql: options.sql,
    batched: createBatched(options.sql, options.now, options.spacingMs ?? SPACING_MS),
    url,
    now: options.now,
    random: options.random,
    log: options.log ?? (() => {}),
    providers: { paystack, flutterwave, monnify },
    faults: createFaultSettings(),
    notifier: { sendDue() {}, reserve: () => undefined, send() {} },
    nextTransactionNumber: createTransactionNumbers(options.sql),
    closing,
    unanswered: new Set(),
  };
}

async function tick(context: SandboxContext, notifier: Notifier): Promise<void> {
  await advanceRefunds(context);
  notifier.sendDue();
  await notifier.idle();
}

/**
 * Unlike `tick`, the timer does not wait for receivers to answer: a slow one must not delay
 * refunds.
 */
function startTicking(context: SandboxContext): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= advanceRefunds(context)
      .then(() => context.notifier.sendDue())
      .catch((error) => context.log('tick failed', { error: String(error) }))
      .finally(() => {
        running = undefined;
      });
  }, tickMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
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
async function closeServer(
  server: Server,
  inFlight: Set<ServerResponse>,
  unanswered: Set<ServerResponse>,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const response of unanswered) response.destroy();
  const answered = Promise.all([...inFlight].map((response) => once(response, 'close')));
  await Promise.race([answered, pause(graceMs, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}

function trackCalls(server: Server): Set<ServerResponse> {
  const inFlight = new Set<ServerResponse>();
  server.on('request', (_request, response) => {
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
  });
  return inFlight;
}
