import { randomBytes } from 'node:crypto';
import type { Sql } from '../../../domain/shared/sql.ts';
import { type Sandbox, startSandbox } from '../../../scripts/sandbox/sandbox.ts';
import type { Json } from './json.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { openDatabase, type SandboxDatabase } from './support.ts';

export interface Reply {
  status: number;
  headers: Headers;
  body: Json;
}

/** A sandbox with one merchant and its receiver, and a clock that only the test moves. */
export interface Fixture extends AsyncDisposable {
  sandbox: Sandbox;
  receiver: Receiver;
  sql: Sql;
  secretKey: string;
  accountId: number;
  provider(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** Calls Paystack as the merchant, or with another key; a string body is sent as it is. */
  paystack(method: string, path: string, body?: unknown, secretKey?: string): Promise<Reply>;
  control(method: string, path: string, body?: unknown): Promise<Reply>;
  order(fields?: object): Promise<string>;
  sale(amountKobo?: number, action?: object): Promise<string>;
  pass(ms: number): Promise<void>;
  restart(): Promise<void>;
}

export interface FixtureOptions {
  random?: () => number;
  database?: SandboxDatabase;
  /** The merchant's account as the control side registers it; else one at Paystack. */
  account?: { provider: string; secret_key: string } & Record<string, unknown>;
}

export async function openFixture({
  random = Math.random,
  account,
  database: given,
}: FixtureOptions = {}): Promise<Fixture> {
  const database = given ?? (await openDatabase());
  const receiver = await openReceiver();
  let nowMs = Date.parse('2026-03-02T09:00:00Z');
  const start = () =>
    startSandbox({ sql: database.sql, port: 0, now: () => new Date(nowMs), random });
  const secretKey = account?.secret_key ?? newSecretKey();
  const usual = { provider: 'paystack', secret_key: secretKey, notification_url: receiver.url };
  const registration = { ...usual, ...account };

  const fixture: Fixture = {
    sandbox: await start(),
    receiver,
    sql: database.sql,
    secretKey,
    accountId: 0,
    provider: (method, path, body, headers) =>
      send(method, `${fixture.sandbox.url}/${registration.provider}${path}`, body, headers),
    paystack(method, path, body, key = secretKey) {
      const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
      return send(method, `${fixture.sandbox.url}/paystack${path}`, body, headers);
    },
    control: (method, path, body) => send(method, `${fixture.sandbox.url}/_control${path}`, body),
    async order(fields = {}) {
      const usual = { email: 'ada@example.com', amount: 500_000, reference: newReference() };
      const order = { ...usual, ...fields };
      const reply = await fixture.paystack('POST', '/transaction/initialize', order);
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      return reply.body.data.reference;
    },
    async sale(amountKobo = 500_000, action = {}) {
      const reference = await fixture.order({ amount: amountKobo });
      await fixture.control('POST', '/pay', { reference, outcome: 'success', ...action });
      await fixture.sandbox.idle();
      return reference;
    },
    async pass(ms) {
      nowMs += ms;
      await fixture.sandbox.tick();
    },
    async restart() {
      await fixture.sandbox.close();
      fixture.sandbox = await start();
    },
    async [Symbol.asyncDispose]() {
      await fixture.sandbox.close();
      await receiver[Symbol.asyncDispose]();
      await database.close();
    },
  };
  fixture.accountId = (await fixture.control('POST', '/accounts', registration)).body.id;
  return fixture;
}

export function newSecretKey(): string {
  return `sk_test_${randomBytes(16).toString('hex')}`;
}

let lastNumber = Math.floor(Date.now() / 10);

export function newCharge(): string {
  lastNumber += 1;
  return `SV-${lastNumber}`;
}

export function newReference(charge = newCharge()): string {
  return `${charge}-${randomBytes(4).toString('hex')}`;
}

async function send(
  method: string,
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
