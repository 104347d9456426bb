import { randomBytes } from 'node:crypto';
import type { Sql } from '../../../domain/shared/sql.ts';
import { openDatabase as openPool } from '../../../scripts/sandbox/database.ts';
import { startSandbox } from '../../../scripts/sandbox/sandbox.ts';
import { emptyDatabase } from '../../support/postgres.ts';
import { type Json, openReceiver } from './receiver.ts';

const email = 'ada@example.com';
const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** How each provider is called: with what keys, to open a payment and to read one. */
const wires = {
  paystack: {
    newKeys: () => ({ secret_key: `sk_test_${hex(16)}` }),
    create: '/transaction/initialize',
    order: (kobo: number) => ({ email, amount: kobo, reference: newReference() }),
    opened: ({ data }: Json) => ({ reference: data.reference, url: data.authorization_url }),
    shown: (reference: string) => `/transaction/verify/${reference}`,
  },
  flutterwave: {
    newKeys: () => ({ secret_key: `FLWSECK_TEST-${hex(16)}-X`, secret_hash: hex(12) }),
    create: '/payments',
    order: (kobo: number) => ({
      ...{ tx_ref: newReference(), amount: kobo / 100, customer: { email } },
      redirect_url: 'https://shop.example/',
    }),
    opened: ({ data }: Json, { tx_ref }: Json) => ({ reference: tx_ref, url: data.link }),
    shown: (reference: string) => `/transactions/verify_by_reference?tx_ref=${reference}`,
  },
  monnify: {
    newKeys: () => ({
      ...{ api_key: `MK_TEST_${hex(5).toUpperCase()}`, secret_key: hex(16).toUpperCase() },
      contract_code: '4934121693',
    }),
    create: '/api/v1/merchant/transactions/init-transaction',
    order: (kobo: number) => ({
      ...{ amount: kobo / 100, customerName: 'Ada Obi', customerEmail: email },
      ...{ paymentReference: newReference(), paymentDescription: 'Two bags of rice' },
      ...{ currencyCode: 'NGN', contractCode: '4934121693' },
      redirectUrl: 'https://shop.example/done?cart=1',
    }),
    opened: ({ responseBody }: Json) => ({
      ...{ reference: responseBody.paymentReference, url: responseBody.checkoutUrl },
    }),
    shown: (reference: string) =>
      `/api/v2/merchant/transactions/query?paymentReference=${reference}`,
  },
};

export type ProviderName = keyof typeof wires;

interface FixtureOptions {
  provider?: ProviderName;
  random?: () => number;
  /** What the control side is told of the account, besides its keys and its receiver. */
  account?: object;
}

/** A sandbox with one merchant and its receiver, and a clock that only the test moves. */
export async function openFixture({
  provider = 'paystack',
  random = Math.random,
  account = {},
}: FixtureOptions = {}) {
  const database = await openDatabase();
  const receiver = await openReceiver();
  let nowMs = Date.parse('2026-03-02T09:00:00Z');
  const now = () => new Date(nowMs);
  const start = () => startSandbox({ sql: database.sql, port: 0, now, random });
  const wire = wires[provider];
  const keys: ReturnType<typeof wire.newKeys> & { api_key?: string } = wire.newKeys();
  const bodyOf = ({ status, body }: Reply) =>
    status < 300 ? (body.data ?? body.responseBody) : body;

  let sandbox = await start();
  let token: string = keys.secret_key;

  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(method, `${sandbox.url}/${provider}${path}`, body, headers);
  const call = (method: string, path: string, body?: unknown, key = token) =>
    send(method, path, body, key ? { authorization: `Bearer ${key}` } : {});
  const control = (path: string, body?: unknown, method = 'POST') =>
    request(method, `${sandbox.url}/_control${path}`, body);

  const registration = { provider, notification_url: receiver.url, ...keys, ...account };
  const accountId: number = (await control('/accounts', registration)).body.id;

  const fixture = {
    get sandbox() {
      return sandbox;
    },
    ...{ receiver, keys, accountId, now, control },
    /** Calls the provider with these headers alone. */
    send,
    /** Calls the provider as the merchant, or with another key or none; text is sent as it is. */
    call,
    get: async (path: string): Promise<Json> => bodyOf(await call('GET', path)),
    stats: async (): Promise<Record<string, number>> =>
      (await control('/stats', undefined, 'GET')).body[provider],
    payments: async (reference: string): Promise<Json[]> =>
      (await control(`/payments?reference=${reference}`, undefined, 'GET')).body.data,
    create: (fields: object = {}): Promise<Reply> =>
      call('POST', wire.create, { ...wire.order(500_000), ...fields }),
    async open(fields: object = {}): Promise<{ reference: string; url: string }> {
      const order = { ...wire.order(500_000), ...fields };
      const { status, body } = await call('POST', wire.create, order);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return wire.opened(body, order);
    },
    order: async (fields: object = {}): Promise<string> => (await fixture.open(fields)).reference,
    pay: (reference: string, action: object = {}): Promise<Reply> =>
      control('/pay', { reference, outcome: 'success', ...action }),
    async sale(kobo = 500_000, action: object = {}): Promise<string> {
      const reference = await fixture.order({ amount: wire.order(kobo).amount });
      await fixture.pay(reference, action);
      await sandbox.idle();
      return reference;
    },
    shown: (reference: string): Promise<Json> => fixture.get(wire.shown(reference)),
    settle: async (fields: object = {}): Promise<Json> =>
      (await control('/settle', fields)).body.data[0],
    /** The bodies of all notifications so far. */
    async notified(): Promise<Json[]> {
      await sandbox.idle();
      return receiver.received.map(({ body }) => body);
    },
    /** Logs in at Monnify: every later call has the token. */
    async login(key = keys.api_key, secret = keys.secret_key): Promise<Reply> {
      const basic = Buffer.from(`${key}:${secret}`).toString('base64');
      const headers = { authorization: `Basic ${basic}` };
      const reply = await send('POST', '/api/v1/auth/login', undefined, headers);
      if (reply.status === 200 && key === keys.api_key) token = reply.body.responseBody.accessToken;
      return reply;
    },
    /** Another account at the provider. */
    async stranger() {
      const other: typeof keys = wire.newKeys();
      const { body } = await control('/accounts', { provider, ...other });
      return { keys: other, id: Number(body.id) };
    },
    async pass(ms: number): Promise<void> {
      nowMs += ms;
      await sandbox.tick();
    },
    async restart(): Promise<void> {
      await sandbox.close();
      sandbox = await start();
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await sandbox.close();
      await receiver[Symbol.asyncDispose]();
      await database.close();
    },
  };
  if (provider === 'monnify') await fixture.login();
  return fixture;
}

let lastNumber = Math.floor(Date.now() / 10);

export const newCharge = () => `SV-${++lastNumber}`;
export const newReference = (charge = newCharge()) => `${charge}-${hex(4)}`;
export const newKeys = (provider: ProviderName = 'paystack') => wires[provider].newKeys();

/**
 * Closed, and as good as new: making a database with its tables takes fifty times as long as
 * emptying them.
 */
const cleared: Sql[] = [];

export async function openDatabase() {
  const sql = cleared.pop() ?? openPool(await emptyDatabase()).sql;
  return {
    sql,
    async close() {
      await sql.query('delete from sandbox.document');
      cleared.push(sql);
    },
  };
}

export interface Reply {
  status: number;
  headers: Headers;
  body: Json;
}

async function request(
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
  return { status: response.status, headers: response.headers, body: await response.json() };
}
