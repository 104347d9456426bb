import { isIP } from 'node:net';
import { Ajv } from 'ajv';
import { type BreakerRules, breakerRules } from '../domain/providers/breaker.ts';
import { isLocalHost } from '../domain/shared/hosts.ts';
import type { MasterKey } from '../domain/shared/vault.ts';
import { type Budgets, budgets } from './budgets.ts';
import { type RateLimits, rateLimits } from './rate-limits.ts';
import { SetupError } from './setup-error.ts';

/** What the process was told, read once. Durations in ms. */
export interface Env {
  databaseUrl: string;
  databasePoolSize: number;
  databaseTimeoutMs: number;
  /** Null: the queues live in Postgres. */
  redisUrl: string | null;
  port: number;
  /** Without a trailing slash; every link and page is built from it, never from a Host header. */
  publicUrl: string;
  basePath: string;
  trustProxy: string | null;
  allowedHttpHosts: string[];
  masterKeys: MasterKey[];
  operator: { user: string; password: string } | null;
  logLevel: string;
  chargeLifetimeMs: number;
  /** API processes there are: each may grant so large a part of a rate limit alone. */
  apiProcesses: number;
  /** Not for the environment to say: the contract names them. Tests have shorter ones. */
  rateLimits: RateLimits;
  /** Calls to providers a minute, and when a connection rests: not for the environment to say either. */
  budgets: Budgets;
  breaker: BreakerRules;
  webhookAllowedHosts: string[];
  /** Adapter behind each slot when a connection is made. */
  slots: { provider_a: string; provider_b: string | null; provider_c: string | null };
  /** Where each adapter calls, by the mode of the connection. Without a slash at the end. */
  baseUrls: Record<string, BaseUrls>;
  /** Where sandbox connections call; null: there are none here. */
  sandboxUrl: string | null;
}

export interface BaseUrls {
  test: string;
  live: string;
}

const adapterNames = ['paystack', 'flutterwave', 'monnify'] as const;

const schema = {
  type: 'object',
  required: ['DATABASE_URL', 'MASTER_KEY'],
  properties: {
    DATABASE_URL: { type: 'string', pattern: '^postgres(ql)?://' },
    DATABASE_POOL_SIZE: { type: 'integer', minimum: 2, maximum: 200, default: 20 },
    DATABASE_TIMEOUT_MS: { type: 'integer', minimum: 100, maximum: 600_000, default: 10_000 },
    REDIS_URL: { type: 'string', pattern: '^(rediss?://.*)?$', default: '' },
    PORT: { type: 'integer', minimum: 0, maximum: 65535, default: 4000 },
    PUBLIC_URL: { type: 'string', pattern: '^(https?://[^/]+.*)?$', default: '' },
    BASE_PATH: { type: 'string', pattern: '^(/[A-Za-z0-9._~-]+)*$', default: '' },
    TRUST_PROXY: { type: 'string', default: '' },
    ALLOWED_HTTP_HOSTS: { type: 'string', default: '' },
    MASTER_KEY: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]+:[A-Za-z0-9+/]{43}=(,[A-Za-z0-9_-]+:[A-Za-z0-9+/]{43}=)*$',
    },
    OPERATOR_USER: { type: 'string', default: 'operator' },
    OPERATOR_PASSWORD: { type: 'string', default: '' },
    LOG_LEVEL: { enum: ['error', 'warn', 'info', 'debug'], default: 'info' },
    CHARGE_LIFETIME_HOURS: { type: 'number', minimum: 0.1, maximum: 720, default: 24 },
    API_PROCESSES: { type: 'integer', minimum: 1, maximum: 1_000, default: 1 },
    WEBHOOK_ALLOWED_HOSTS: { type: 'string', default: '' },
    PROVIDER_A: { enum: adapterNames, default: 'paystack' },
    PROVIDER_B: { enum: ['', ...adapterNames], default: 'flutterwave' },
    PROVIDER_C: { enum: ['', ...adapterNames], default: 'monnify' },
    PAYSTACK_BASE_URL: {
      type: 'string',
      pattern: '^https?://',
      default: 'https://api.paystack.co',
    },
    FLUTTERWAVE_BASE_URL: {
      type: 'string',
      pattern: '^https?://',
      default: 'https://api.flutterwave.com/v3',
    },
    MONNIFY_TEST_BASE_URL: {
      type: 'string',
      pattern: '^https?://',
      default: 'https://sandbox.monnify.com',
    },
    MONNIFY_LIVE_BASE_URL: {
      type: 'string',
      pattern: '^https?://',
      default: 'https://api.monnify.com',
    },
    SANDBOX_URL: { type: 'string', pattern: '^(https?://.*)?$', default: '' },
  },
} as const;

const explain: Record<string, string> = {
  DATABASE_URL: 'a connection string of PostgreSQL, like postgres://user:password@host/database',
  MASTER_KEY:
    '<id>:<32 bytes in base64>, several separated by commas, the first one seals (make one: openssl rand -base64 32)',
  PUBLIC_URL: 'an http or https address',
  PROVIDER_A: adapterNames.join(', '),
  PROVIDER_B: `${adapterNames.join(', ')}, or empty for none`,
  PROVIDER_C: `${adapterNames.join(', ')}, or empty for none`,
};

/** Nothing is an answer of its own to these; an empty value of any other setting counts as not set. */
const mayBeEmpty = new Set(['PROVIDER_B', 'PROVIDER_C']);

/** Where secret keys are sent. */
const baseUrlNames = [
  'PAYSTACK_BASE_URL',
  'FLUTTERWAVE_BASE_URL',
  'MONNIFY_TEST_BASE_URL',
  'MONNIFY_LIVE_BASE_URL',
] as const;

interface RawEnv {
  DATABASE_URL: string;
  DATABASE_POOL_SIZE: number;
  DATABASE_TIMEOUT_MS: number;
  REDIS_URL: string;
  PORT: number;
  PUBLIC_URL: string;
  BASE_PATH: string;
  TRUST_PROXY: string;
  ALLOWED_HTTP_HOSTS: string;
  MASTER_KEY: string;
  OPERATOR_USER: string;
  OPERATOR_PASSWORD: string;
  LOG_LEVEL: string;
  CHARGE_LIFETIME_HOURS: number;
  API_PROCESSES: number;
  WEBHOOK_ALLOWED_HOSTS: string;
  PROVIDER_A: string;
  PROVIDER_B: string;
  PROVIDER_C: string;
  PAYSTACK_BASE_URL: string;
  FLUTTERWAVE_BASE_URL: string;
  MONNIFY_TEST_BASE_URL: string;
  MONNIFY_LIVE_BASE_URL: string;
  SANDBOX_URL: string;
}

/** Reads the environment and argues with it. Throws a `SetupError` for the first thing that is wrong. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const raw = validate(source);
  const publicUrl =
    (raw.PUBLIC_URL || `http://localhost:${raw.PORT}`).replace(/\/+$/, '') + raw.BASE_PATH;
  refuseContradictions(raw, publicUrl);
  return {
    databaseUrl: raw.DATABASE_URL,
    databasePoolSize: raw.DATABASE_POOL_SIZE,
    databaseTimeoutMs: raw.DATABASE_TIMEOUT_MS,
    redisUrl: raw.REDIS_URL || null,
    port: raw.PORT,
    publicUrl,
    basePath: raw.BASE_PATH,
    trustProxy: raw.TRUST_PROXY || null,
    allowedHttpHosts: listOf(raw.ALLOWED_HTTP_HOSTS.toLowerCase()),
    masterKeys: raw.MASTER_KEY.split(',').map(masterKeyOf),
    operator: raw.OPERATOR_PASSWORD
      ? { user: raw.OPERATOR_USER, password: raw.OPERATOR_PASSWORD }
      : null,
    logLevel: raw.LOG_LEVEL,
    chargeLifetimeMs: raw.CHARGE_LIFETIME_HOURS * 3_600_000,
    apiProcesses: raw.API_PROCESSES,
    rateLimits,
    budgets,
    breaker: breakerRules,
    webhookAllowedHosts: listOf(raw.WEBHOOK_ALLOWED_HOSTS.toLowerCase()),
    slots: {
      provider_a: raw.PROVIDER_A,
      provider_b: raw.PROVIDER_B || null,
      provider_c: raw.PROVIDER_C || null,
    },
    baseUrls: {
      paystack: baseUrlsOf(raw.PAYSTACK_BASE_URL),
      flutterwave: baseUrlsOf(raw.FLUTTERWAVE_BASE_URL),
      monnify: baseUrlsOf(raw.MONNIFY_TEST_BASE_URL, raw.MONNIFY_LIVE_BASE_URL),
    },
    sandboxUrl: raw.SANDBOX_URL.replace(/\/+$/, '') || null,
  };
}

/** One address for both modes, where the credentials alone tell them apart. */
function baseUrlsOf(test: string, live = test): BaseUrls {
  return { test: test.replace(/\/+$/, ''), live: live.replace(/\/+$/, '') };
}

const check = new Ajv({ coerceTypes: true, useDefaults: true }).compile(schema);

function validate(source: Record<string, string | undefined>): RawEnv {
  const known: Record<string, unknown> = {};
  for (const name of Object.keys(schema.properties)) {
    if (source[name] !== undefined && (source[name] !== '' || mayBeEmpty.has(name)))
      known[name] = source[name];
  }
  if (check(known)) return known as unknown as RawEnv;
  const error = check.errors?.[0];
  const name =
    (error?.params.missingProperty as string | undefined) ?? error?.instancePath.slice(1) ?? '';
  const problem = error?.keyword === 'required' ? 'is not set' : `is not right: ${error?.message}`;
  throw new SetupError(`${name} ${problem}.${explain[name] ? ` It is ${explain[name]}.` : ''}`);
}

function refuseContradictions(raw: RawEnv, publicUrl: string): void {
  for (const name of ['PUBLIC_URL', ...baseUrlNames, 'SANDBOX_URL'] as const) {
    if (raw[name] !== '' && !URL.canParse(raw[name]))
      throw new SetupError(`${name} is not right: it is no web address.`);
  }
  for (const name of baseUrlNames) {
    if (isPlainAbroad(raw[name]))
      throw new SetupError(`${name} is plain http: secret keys would be readable.`);
  }
  const url = new URL(publicUrl);
  if (isPlainAbroad(publicUrl) && !listOf(raw.ALLOWED_HTTP_HOSTS).includes(url.hostname)) {
    throw new SetupError(
      `PUBLIC_URL is plain http on ${url.hostname}: payers and merchants would be refused. Use https.`,
    );
  }
  const proxy = listOf(raw.TRUST_PROXY).find((entry) => !isProxy(entry));
  if (proxy !== undefined) {
    throw new SetupError(
      `TRUST_PROXY is not right: "${proxy}" is no address, range, number of hops, loopback, linklocal or uniquelocal.`,
    );
  }
  const ids = raw.MASTER_KEY.split(',').map((entry) => masterKeyOf(entry).id);
  if (new Set(ids).size < ids.length)
    throw new SetupError('MASTER_KEY names two keys with one id.');
}

/** Plain http beyond this machine. */
function isPlainAbroad(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLocalHost(hostname);
}

function isProxy(entry: string): boolean {
  const [address = '', prefix] = entry.split('/');
  const family = isIP(address);
  if (family === 0) return /^(\d{1,2}|loopback|linklocal|uniquelocal)$/.test(entry);
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
  );
}

function masterKeyOf(entry: string): MasterKey {
  const [id = '', text = ''] = entry.split(':');
  return { id, key: Buffer.from(text, 'base64') };
}

function listOf(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}
