import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../domain/shared/sql.ts';
import { createApp } from './app.ts';
import { createFaultBoard } from './faults.ts';
import { flutterwave } from './flutterwave/flutterwave.ts';
import { monnify } from './monnify/monnify.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { paystack } from './paystack/paystack.ts';
import { advanceRefunds } from './refunds.ts';
import { prepareSchema } from './schema.ts';
import type { World } from './world.ts';

export interface SandboxOptions {
  sql: Database;
  /** 0 takes a free one. */
  port: number;
  host?: '127.0.0.1';
  now: () => Date;
  random: () => number;
  log?: (message: string, fields?: object) => void;
}

export interface Sandbox extends AsyncDisposable {
  /** http://127.0.0.1:PORT; each provider's API is below its name, the control side below `/_control`. */
  url: string;
  /** Resolves when no notification is under way. */
  idle(): Promise<void>;
  /** Does what time has made due: refunds and notifications. A timer does the same; tests call it after moving the clock. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

const tickMs = 250;
/** Calls in hand at closing get this long to be answered. */
const graceMs = 1_000;

/** Starts the provider sandbox. Its state is in the schema `sandbox` of the database, so that a restart finds everything. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  await prepareSchema(options.sql);
  const server = createServer();
  const url = await listen(server, options.port, options.host ?? '127.0.0.1');
  const closing = new AbortController();
  const world = createWorld(options, url, closing.signal);
  const notifier = createNotifier(world);
  world.wake = notifier.wake;
  const inHand = trackCalls(server);
  server.on('request', createApp(world));

  const stopTicking = startTicking(world);
  async function shutDown(): Promise<void> {
    closing.abort();
    await stopTicking();
    await closeServer(server, inHand, world.held);
    await notifier.close();
  }
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= shutDown());
  return {
    url,
    idle: notifier.idle,
    tick: () => tick(world, notifier),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createWorld(options: SandboxOptions, url: string, closing: AbortSignal): World {
  return {
    sql: options.sql,
    url,
    now: options.now,
    random: options.random,
    log: options.log ?? (() => {}),
    providers: { paystack, flutterwave, monnify },
    faults: createFaultBoard(),
    wake: () => {},
    closing,
    held: new Set(),
  };
}

async function tick(world: World, notifier: Notifier): Promise<void> {
  await advanceRefunds(world);
  notifier.wake();
  await notifier.idle();
}

/** Unlike `tick`, a beat does not wait for receivers to answer: refunds must not stand still behind a slow one. */
function startTicking(world: World): () => Promise<void> {
  let beat: Promise<void> | undefined;
  const timer = setInterval(() => {
    beat ??= advanceRefunds(world)
      .then(() => world.wake())
      .catch((error) => world.log('tick failed', { error: String(error) }))
      .finally(() => {
        beat = undefined;
      });
  }, tickMs);
  return async () => {
    clearInterval(timer);
    await beat;
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

/** Lets the calls in hand be answered, except those that never would be. */
async function closeServer(
  server: Server,
  inHand: Set<ServerResponse>,
  held: Set<ServerResponse>,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const response of held) response.destroy();
  const answered = Promise.all([...inHand].map((response) => once(response, 'close')));
  await Promise.race([answered, pause(graceMs, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}

function trackCalls(server: Server): Set<ServerResponse> {
  const inHand = new Set<ServerResponse>();
  server.on('request', (_request, response) => {
    inHand.add(response);
    response.once('close', () => inHand.delete(response));
  });
  return inHand;
}
