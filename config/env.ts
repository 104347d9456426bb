import { isIP } from 'node:net';
import { Ajv, type ErrorObject } from 'ajv';
import { PARTITION_DAYS_AHEAD } from '../domain/partitioned-tables.ts';
import { type BreakerRules, breakerRules } from '../domain/providers/guard/breaker.ts';
import type { BaseUrl } from '../domain/providers/port/definition.ts';
import { providers } from '../domain/providers/registry.ts';
import { isLocalHost } from '../domain/shared/hosts.ts';
import type { Mode } from '../domain/shared/reader.ts';
import type { MasterKey } from '../domain/shared/vault.ts';
import { type RateLimits, rateLimits } from './limits/rate-limits.ts';
import type { MailSettings } from './mail/mail-client.ts';
import type { TracingSettings } from './observability/tracing.ts';
import { operatorsIn } from './operator-lines.ts';
import { type Budgets, budgets } from './providers/provider-budgets.ts';
import { readRedisUrl } from './queues/redis-url.ts';
import { withSecretFiles } from './secret-files.ts';
import { baseUrlSettings, mayBeEmpty, settings } from './settings.ts';
import { SetupError } from './setup-error.ts';

/** The settings of the process, read once. Durations in ms. */
export interface Env {
  databaseUrl: string;
  databaseIsPooled: boolean;
  /** Null: lists are read from the primary. */
  readDatabaseUrl: string | null;
  databasePoolSize: number;
  databaseTimeoutMs: number;
  /** Null: the queues live in Postgres. */
  redisUrl: string | null;
  port: number;
  workersPort: number | null;
  /** Without a trailing slash; every link and page is built from it, never from a Host header. */
  publicUrl: string;
  basePath: string;
  trustProxy: string | null;
  allowedHttpHosts: string[];
  masterKeys: MasterKey[];
  /** Who is let in: hashes of passwords by name. Null: `operator` alone. */
  operators: ReadonlyMap<string, string> | null;
  /** Who runs commands. */
  operator: { user: string; password: string } | null;
  logLevel: string;
  tracing: TracingSettings | null;
  chargeLifetimeMs: number;
  /** After SIGTERM the API goes on answering for so long; only `/readyz` says that it stops. */
  drainMs: number;
  apiProcesses: number;
  /** Alone, each process makes this part of the calls that a provider allows. */
  providerProcesses: number;
  /** But for mails, fixed: by spec section "Limits", or here. Tests set their own. */
  rateLimits: RateLimits;
  /** Not set by the environment either. */
  budgets: Budgets;
  breaker: BreakerRules;
  /** Null: none are created, and each table is one partition. */
  partitionDaysAhead: number | null;
  webhookAllowedHosts: string[];
  /** Null: no mail is sent. */
  mail: MailSettings | null;
  slots: { provider_a: string; provider_b: string | null; provider_c: string | null };
  /** Where each provider is called, by the mode of the connection. Without a slash at the end. */
  baseUrls: Record<string, Record<Mode, string>>;
  /** Where sandbox connections call; null: this installation has none. */
  sandboxUrl: string | null;
}

type Values = {
  [Name in keyof typeof settings]: (typeof settings)[Name]['type'] extends 'string'
    ? string
    : number;
};

/** Reads and checks the environment. Throws a `SetupError` for the first thing that is wrong. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const { values, baseUrls } = validate(withSecretFiles(source));
  const publicUrl = withoutSlash(values.PUBLIC_URL || `http://localhost:${values.PORT}`);
  refuseContradictions(values, baseUrls);
  return {
    databaseUrl: values.DATABASE_URL,
    databaseIsPooled: values.DATABASE_POOLER === 'transaction',
    readDatabaseUrl: values.READ_DATABASE_URL || null,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    databaseTimeoutMs: values.DATABASE_TIMEOUT_MS,
    redisUrl: values.REDIS_URL || null,
    port: values.PORT,
    workersPort: values.WORKERS_PORT || null,
    publicUrl: publicUrl + values.BASE_PATH,
    basePath: values.BASE_PATH,
    trustProxy: values.TRUST_PROXY || null,
    allowedHttpHosts: listOf(values.ALLOWED_HTTP_HOSTS.toLowerCase()),
    masterKeys: masterKeysIn(values.MASTER_KEY),
    operators: operatorsIn(values.OPERATORS),
    operator: values.OPERATOR_PASSWORD
      ? { user: values.OPERATOR_USER, password: values.OPERATOR_PASSWORD }
      : null,
    logLevel: values.LOG_LEVEL,
    tracing: tracingFrom(values),
    chargeLifetimeMs: values.CHARGE_LIFETIME_HOURS * 3_600_000,
    drainMs: values.DRAIN_SECONDS * 1_000,
    apiProcesses: values.API_PROCESSES,
    providerProcesses: values.PROVIDER_PROCESSES || values.API_PROCESSES + 1,
    rateLimits: {
      ...rateLimits,
      payerMails: { ...rateLimits.payerMails, points: values.MAILS_PER_DAY },
    },
    budgets,
    breaker: breakerRules,
    partitionDaysAhead: PARTITION_DAYS_AHEAD,
    mail: mailFrom(values),
    webhookAllowedHosts: listOf(values.WEBHOOK_ALLOWED_HOSTS.toLowerCase()),
    slots: {
      provider_a: values.PROVIDER_A,
      provider_b: values.PROVIDER_B || null,
      provider_c: values.PROVIDER_C || null,
    },
    baseUrls: baseUrlsFrom(baseUrls),
    sandboxUrl: withoutSlash(values.SANDBOX_URL) || null,
  };
}

const properties: Record<string, object> = { ...settings, ...baseUrlSettings };
const required = Object.keys(properties).filter((name) => !('default' in properties[name]!));
const check = new Ajv({ coerceTypes: true, useDefaults: true }).compile({
  type: 'object',
  required,
  properties,
});

function validate(source: Record<string, string | undefined>): {
  values: Values;
  baseUrls: Record<string, string>;
} {
  const known: Record<string, unknown> = {};
  for (const name of Object.keys(properties)) {
    if (source[name] !== undefined && (source[name] !== '' || mayBeEmpty.has(name)))
      known[name] = source[name];
  }
  if (!check(known)) throw problemIn(check.errors![0]!);
  const baseUrls = Object.keys(baseUrlSettings).map((name) => [name, known[name] as string]);
  return { values: known as Values, baseUrls: Object.fromEntries(baseUrls) };
}

function problemIn({ keyword, params, instancePath, message }: ErrorObject): SetupError {
  const name = (params.missingProperty as string | undefined) ?? instancePath.slice(1);
  const problem = keyword === 'required' ? 'is not set' : `is not right: ${message}`;
  const { description } = properties[name] as { description: string };
  return new SetupError(`${name} ${problem}. It is ${description}.`);
}

/** Checks rules that involve several settings, or that a schema cannot express. */
function refuseContradictions(values: Values, baseUrls: Record<string, string>): void {
  const { PUBLIC_URL: publicUrl, SANDBOX_URL: sandboxUrl } = values;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector } = values;
  const addresses = {
    ...{ PUBLIC_URL: publicUrl, ...baseUrls, SANDBOX_URL: sandboxUrl },
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  };
  for (const [name, address] of Object.entries(addresses)) {
    if (address !== '' && !URL.canParse(address))
      throw new SetupError(`${name} is not right: it is no web address.`);
  }
  for (const [name, address] of Object.entries(baseUrls)) {
    if (isRemotePlainHttp(address))
      throw new SetupError(`${name} is plain http: secret keys would be readable.`);
  }
  if ((values.SMTP_URL === '') !== (values.MAIL_FROM === ''))
    throw new SetupError('SMTP_URL and MAIL_FROM belong together: set both, or neither.');
  if (values.SMTP_URL !== '' && !URL.canParse(values.SMTP_URL))
    throw new SetupError('SMTP_URL is not right: a password with special characters is encoded.');
  refusePlainPublicUrl(publicUrl, listOf(values.ALLOWED_HTTP_HOSTS));
  if (values.REDIS_URL !== '') readRedisUrl(values.REDIS_URL);
  else if (values.DATABASE_POOLER !== '') {
    throw new SetupError(
      'DATABASE_POOLER needs REDIS_URL: queues in PostgreSQL listen on connections of their own.',
    );
  }
  if (values.PROVIDER_PROCESSES !== 0 && values.PROVIDER_PROCESSES <= values.API_PROCESSES) {
    throw new SetupError(
      'PROVIDER_PROCESSES is not right: it counts the API_PROCESSES and at least one worker process.',
    );
  }
  const proxy = listOf(values.TRUST_PROXY).find((entry) => !isProxy(entry));
  if (proxy !== undefined) {
    throw new SetupError(
      `TRUST_PROXY is not right: "${proxy}" is no address, range, number of hops, loopback, linklocal or uniquelocal.`,
    );
  }
  const ids = masterKeysIn(values.MASTER_KEY).map(({ id }) => id);
  if (new Set(ids).size < ids.length)
    throw new SetupError('MASTER_KEY names two keys with one id.');
}

function refusePlainPublicUrl(publicUrl: string, allowedHosts: readonly string[]): void {
  if (publicUrl === '' || !isRemotePlainHttp(publicUrl)) return;
  const { hostname } = new URL(publicUrl);
  if (allowedHosts.includes(hostname)) return;
  throw new SetupError(
    `PUBLIC_URL is plain http on ${hostname}: payers and merchants would be refused. Use https.`,
  );
}

function isRemotePlainHttp(address: string): boolean {
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

function masterKeysIn(value: string): MasterKey[] {
  return value.split(',').map((entry) => {
    const [id = '', text = ''] = entry.split(':');
    return { id, key: Buffer.from(text, 'base64') };
  });
}

function tracingFrom(values: Values): TracingSettings | null {
  const endpoint = withoutSlash(values.OTEL_EXPORTER_OTLP_ENDPOINT);
  if (endpoint === '') return null;
  const headers = listOf(values.OTEL_EXPORTER_OTLP_HEADERS).map((header) => {
    const [name = '', ...value] = header.split('=');
    return [name, decodeURIComponent(value.join('='))];
  });
  return {
    url: `${endpoint}/v1/traces`,
    headers: Object.fromEntries(headers),
    serviceName: values.OTEL_SERVICE_NAME,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
  };
}

function mailFrom({ SMTP_URL: url, MAIL_FROM: from }: Values): MailSettings | null {
  if (url === '') return null;
  const [, name = '', address = from] = /^(.*)<(.*)>$/.exec(from) ?? [];
  return { url, from: { name: name.trim(), address } };
}

function baseUrlsFrom(addresses: Record<string, string>): Env['baseUrls'] {
  const entries = Object.values(providers).map(({ name, baseUrls: { live, test } }) => {
    const addressOf = ({ variable }: BaseUrl) => withoutSlash(addresses[variable]!);
    return [name, { live: addressOf(live), test: addressOf(test) }];
  });
  return Object.fromEntries(entries);
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

function listOf(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}
