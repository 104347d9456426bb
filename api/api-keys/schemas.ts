import Type, { type Static } from 'typebox';
import type { ApiKeyRow } from '../../domain/accounts/api-key/api-keys.ts';
import { originOf } from '../../domain/accounts/api-key/web-origin.ts';
import {
  body,
  choice,
  id,
  kind,
  listOf,
  mode,
  nullable,
  nullInExample,
  object,
  string,
  text,
  time,
} from '../http/schema.ts';

const keyKind = () =>
  choice('ApiKeyKind', ['secret', 'public'], {
    description:
      '`secret` for your server; `public` for your web pages, where it may only create charges.',
  });

const ANY_ORIGIN = 'The web origins a public key may be used from; null: any.';

const origins = () =>
  // Long enough for the longest host name there can be.
  Type.Array(text(300, { format: 'web-origin', examples: ['https://shop.example'] }), {
    description: `${ANY_ORIGIN} Scheme, host and port, without a path.`,
    minItems: 1,
    maxItems: 20,
  });

const name = () => text(100, { description: 'A name for people.', examples: ['Web shop'] });

export const createApiKeyBody = body('CreateApiKeyBody', {
  kind: keyKind(),
  name: Type.Optional(name()),
  allowed_origins: Type.Optional(origins()),
});

export type CreateApiKeyBody = Static<typeof createApiKeyBody>;

export const updateApiKeyBody = body('UpdateApiKeyBody', {
  name: Type.Optional(name()),
  allowed_origins: Type.Optional(nullable(origins())),
});

export type UpdateApiKeyBody = Static<typeof updateApiKeyBody>;

/** Origins as browsers send them, each once. */
export function normalOrigins(given: readonly string[]): string[] {
  return [...new Set(given.map((origin) => originOf(origin)!))];
}

const fields = {
  object: kind('api_key'),
  id: id('key'),
  kind: keyKind(),
  mode: mode('`live` or `test`: what the key works with.'),
  name: nullable(string('The name it was given; null where none was.', { examples: ['Web shop'] })),
  last4: string('The end of the key, to tell it from others.', { examples: ['x7f2'] }),
  allowed_origins: nullable(Type.Array(Type.String()), {
    description: ANY_ORIGIN,
    examples: [['https://shop.example']],
  }),
  created_at: time('When it was created.'),
  revoked_at: nullInExample(time('When it stopped working; null while it works.')),
};

export const apiKey = object('ApiKey', 'A secret or public key, without the key itself.', fields);
export const apiKeys = listOf('ApiKeyList', apiKey, 'A page of API keys.');

/** The only answer that shows the key. */
export const createdApiKey = object('CreatedApiKey', 'A new API key, with the key itself.', {
  ...fields,
  key: string('The key. It is shown now and never again.', {
    examples: [`svc_sk_test_${'0123456789ab'.repeat(3)}`],
  }),
});

export function apiKeyView(row: ApiKeyRow) {
  return {
    object: 'api_key' as const,
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
