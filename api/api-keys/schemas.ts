import type { ApiKeyRow } from '../../domain/accounts/api-key/api-keys.ts';
import { originOf } from '../../domain/accounts/api-key/web-origin.ts';
import type { JsonSchema } from '../http/route.ts';
import { id, input, listOf, mode, nullable, object, string, text, time } from '../http/schema.ts';

const kind = {
  description:
    '`secret` for your server; `public` for your web pages, where it may only create charges.',
  enum: ['secret', 'public'],
};

const allowedOrigins = 'The web origins a public key may be used from; null: any.';

const origins = {
  description: `${allowedOrigins} Scheme, host and port, without a path.`,
  minItems: 1,
  maxItems: 20,
  // Long enough for the longest host name there can be.
  items: { ...text(300, 'web-origin'), examples: ['https://shop.example'] },
};

/** The body of `POST /api-keys`. */
export const newApiKeyBody = input(['kind'], {
  kind,
  name: text(100),
  allowed_origins: { type: 'array', ...origins },
});

export interface NewApiKeyBody {
  kind: 'secret' | 'public';
  name?: string;
  allowed_origins?: string[];
}

/** The body of `PATCH /api-keys/{id}`. */
export const apiKeyChangesBody = input([], {
  name: text(100),
  allowed_origins: { type: ['array', 'null'], ...origins },
});

export interface ApiKeyChangesBody {
  name?: string;
  allowed_origins?: string[] | null;
}

/** Origins as browsers send them, each once. */
export function normalOrigins(origins: readonly string[]): string[] {
  return [...new Set(origins.map((origin) => originOf(origin)!))];
}

const fields: Record<string, JsonSchema> = {
  object: { const: 'api_key' },
  id: id('key'),
  kind,
  mode,
  name: nullable(string),
  last4: { ...string, description: 'The end of the key, to know it by.', examples: ['x7f2'] },
  allowed_origins: {
    ...nullable({ type: 'array', items: string }),
    description: allowedOrigins,
    examples: [['https://shop.example']],
  },
  created_at: time,
  revoked_at: { ...nullable(time), description: 'When it stopped working; null while it works.' },
};

export const apiKey = object('ApiKey', fields);
export const apiKeys = listOf(apiKey);

/** The one answer that shows the key. */
export const newApiKey = object('NewApiKey', {
  ...fields,
  key: {
    ...string,
    description: 'The key. It is shown now and never again.',
    examples: [`svc_sk_test_${'0123456789ab'.repeat(3)}`],
  },
});

export function apiKeyView(row: ApiKeyRow) {
  return {
    object: 'api_key',
    id: row.id,
    kind: row.kind,
    mode: row.mode,
    name: row.name,
    last4: row.last4,
    allowed_origins: row.allowed_origins,
    created_at: row.created_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
