import { providers } from '../domain/providers/registry.ts';
import { rateLimits } from './limits/rate-limits.ts';

/** An environment variable, as JSON Schema. Its description completes "It is …". */
interface Setting {
  type: 'string' | 'integer' | 'number';
  description: string;
  default?: string | number;
  [keyword: string]: unknown;
}

/** All but the providers' base addresses. One without a default is required. */
export const settings = {
  DATABASE_URL: {
    type: 'string',
    pattern: '^postgres(ql)?://',
    description: 'a connection string of PostgreSQL, like postgres://user:password@host/database',
  },
  DATABASE_POOLER: {
    ...oneOf(['', 'transaction'], ''),
    description:
      'transaction where DATABASE_URL leads through a pooler in transaction mode, which needs REDIS_URL; empty: it leads to PostgreSQL itself',
  },
  READ_DATABASE_URL: {
    ...text('^(postgres(ql)?://.*)?$'),
    description: 'a streaming replica of it, for lists, exports and figures; empty: none',
  },
  DATABASE_POOL_SIZE: {
    ...integer(2, 200, 20),
    description: 'the number of connections per process',
  },
  DATABASE_TIMEOUT_MS: {
    ...integer(100, 600_000, 10_000),
    description: 'the longest a statement may take, in ms',
  },
  REDIS_URL: {
    ...text('^(rediss?([+](sentinel|cluster))?://.*)?$'),
    description:
      'the Redis of the queues: redis://host:6379, redis+sentinel://host:26379,host:26379/master or redis+cluster://host:6379,host:6379 (rediss: encrypted); empty: they live in PostgreSQL',
  },
  PORT: { ...integer(0, 65_535, 4_000), description: 'the port of the API' },
  WORKERS_PORT: {
    ...integer(0, 65_535, 0),
    description:
      'the port at which a worker process answers /healthz, /readyz and /metrics; 0: at none',
  },
  PUBLIC_URL: {
    ...text('^(https?://[^/]+.*)?$'),
    description: 'an http or https address, from which every link and page is built',
  },
  BASE_PATH: {
    ...text('^(/[A-Za-z0-9._~-]+)*$'),
    description: 'the path below which the service answers, like /collect',
  },
  TRUST_PROXY: {
    ...text(),
    description:
      'the proxies whose X-Forwarded-For and X-Forwarded-Proto count: their number, or their addresses, like 10.0.0.0/8, which no client may have',
  },
  ALLOWED_HTTP_HOSTS: {
    ...text(),
    description: 'the hosts besides localhost that may be called by plain http',
  },
  MASTER_KEY: {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]+:[A-Za-z0-9+/]{43}=(,[A-Za-z0-9_-]+:[A-Za-z0-9+/]{43}=)*$',
    description:
      '<id>:<32 bytes in base64>, several separated by commas, the first one seals (make one: openssl rand -base64 32)',
  },
  OPERATORS: {
    ...text(),
    description:
      'who gets in at /ops/queues and /metrics and decides by commands, a line `name:hash` for each (npm run ops -- operator NAME); empty: OPERATOR_USER alone',
  },
  OPERATOR_USER: {
    ...text('', 'operator'),
    description: 'the name of the operator who runs commands',
  },
  OPERATOR_PASSWORD: {
    ...text(),
    description: 'their password; empty: without OPERATORS nobody gets in',
  },
  LOG_LEVEL: {
    ...oneOf(['error', 'warn', 'info', 'debug'], 'info'),
    description: 'error, warn, info or debug',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...text('^(https?://.*)?$'),
    description: 'where traces are sent, like http://collector:4318; empty: there are none',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    ...text('^([A-Za-z0-9-]+=[^,]*(,[A-Za-z0-9-]+=[^,]*)*)?$'),
    description: 'headers for them, like api-key=secret, several separated by commas',
  },
  OTEL_SERVICE_NAME: {
    ...text('', 'payment-collection-service'),
    description: 'the name of the service in traces',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'the share of traces that is sent',
  },
  SMTP_URL: {
    ...text('^(smtps?://[^/?#]+)?$'),
    description:
      'the mail server, like smtp://user:password@host:587, which must encrypt unless it is this machine (smtps: from the first byte); empty: no mail is sent, and links are shown',
  },
  MAIL_FROM: {
    ...text('^(([^<>@]+ )?<[^<>@\\s]+@[^<>@\\s]+>|[^<>@\\s]+@[^<>@\\s]+)?$'),
    description: 'the sender of mails, like Payments <payments@example.com>; needed with SMTP_URL',
  },
  MAILS_PER_DAY: {
    ...integer(1, 1_000_000, rateLimits.payerMails.points),
    description:
      'how many mails a business may cause to payers within a day (receipts, payment links, reminders); further ones wait, three days at most for a receipt',
  },
  CHARGE_LIFETIME_HOURS: {
    type: 'number',
    minimum: 0.1,
    maximum: 720,
    default: 24,
    description: 'how many hours a checkout can be paid',
  },
  DRAIN_SECONDS: {
    ...integer(0, 15, 0),
    description:
      'how many seconds the API goes on answering after SIGTERM, with /readyz at 503, until load balancers have turned away from it',
  },
  API_PROCESSES: { ...integer(1, 1_000, 1), description: 'the number of API processes' },
  PROVIDER_PROCESSES: {
    ...integer(0, 10_000, 0),
    description:
      'the number of processes that call providers, API and worker processes together; 0: one more than API_PROCESSES',
  },
  WEBHOOK_ALLOWED_HOSTS: {
    ...text(),
    description: 'the hosts that webhooks may reach by plain http and on private addresses',
  },
  PROVIDER_A: slot('paystack', false),
  PROVIDER_B: slot('flutterwave', true),
  PROVIDER_C: slot('monnify', true),
  SANDBOX_URL: { ...text('^(https?://.*)?$'), description: 'the address of the sandbox' },
} satisfies Record<string, Setting>;

/** Each may be in a file instead, which the setting `<NAME>_FILE` names. */
export const secretSettings: readonly (keyof typeof settings)[] = [
  ...(['DATABASE_URL', 'READ_DATABASE_URL', 'REDIS_URL', 'MASTER_KEY'] as const),
  ...(['OPERATORS', 'OPERATOR_PASSWORD', 'OTEL_EXPORTER_OTLP_HEADERS', 'SMTP_URL'] as const),
];

/** An empty value of these means none. An empty value of any other setting means its default. */
export const mayBeEmpty: ReadonlySet<string> = new Set(['PROVIDER_B', 'PROVIDER_C']);

export const baseUrlSettings: Record<string, Setting> = Object.fromEntries(
  Object.values(providers).flatMap(({ name, baseUrls }) =>
    Object.values(baseUrls).map((baseUrl) => [
      baseUrl.variable,
      { ...text('^https?://', baseUrl.default), description: `the base address of ${name}` },
    ]),
  ),
);

function text(pattern = '', value = '') {
  return { type: 'string' as const, pattern, default: value };
}

function integer(minimum: number, maximum: number, value: number) {
  return { type: 'integer' as const, minimum, maximum, default: value };
}

function oneOf(values: readonly string[], value: string) {
  return { type: 'string' as const, enum: values, default: value };
}

function slot(value: string, optional: boolean) {
  const names = Object.keys(providers);
  return {
    ...oneOf(optional ? ['', ...names] : names, value),
    description: `${names.join(', ')}${optional ? ', or empty for none' : ''}`,
  };
}
