import Type, { type Static } from 'typebox';
import { type ApiKeyRow, MAX_OVERLAP_HOURS } from '../../domain/accounts/api-key/api-keys.ts';
import type { KeyBounds } from '../../domain/accounts/api-key/key-bounds.ts';
import { originOf } from '../../domain/accounts/api-key/web-origin.ts';
import { MAX_AMOUNT_KOBO, MIN_AMOUNT_KOBO } from '../../domain/shared/money.ts';
import * as s from '../http/schema.ts';

const keyKind = () =>
  s.choice('ApiKeyKind', ['secret', 'public'], {
    description:
      '`secret` for your server; `public` for your web pages, where it may only create charges.',
    examples: ['public'],
  });

const ANY_ORIGIN =
  'The web origins a public key may be used from, and which its `return_url` may lead to; null: it ' +
  'may be used from any, and takes no `return_url` but, in test mode, one on a local host.';

const origins = () =>
  // Long enough for the longest host name there can be.
  Type.Array(s.text(300, { format: 'web-origin', examples: ['https://shop.example'] }), {
    description: `${ANY_ORIGIN} Scheme, host and port, without a path.`,
    minItems: 1,
    maxItems: 20,
  });

const minAmount = () =>
  s.kobo('The least that a charge with this public key may be, in kobo; null: no bound.', 50_000, {
    minimum: MIN_AMOUNT_KOBO,
    maximum: MAX_AMOUNT_KOBO,
  });

const maxAmount = () =>
  s.kobo(
    'The most that a charge with this public key may be, in kobo; null: no bound.',
    5_000_000,
    { minimum: MIN_AMOUNT_KOBO, maximum: MAX_AMOUNT_KOBO },
  );

const KEY_DESCRIPTION =
  'What payments with this public key are for. Its charges have this description and no other; ' +
  'null: any.';

const description = () =>
  s.text(500, { description: KEY_DESCRIPTION, examples: ['Donation to Ada’s school'] });

const name = () => s.text(100, { description: 'A name for people.', examples: ['Web shop'] });

export const createApiKeyBody = s.body('CreateApiKeyBody', {
  kind: keyKind(),
  name: Type.Optional(name()),
  allowed_origins: Type.Optional(origins()),
  min_amount_kobo: Type.Optional(minAmount()),
  max_amount_kobo: Type.Optional(maxAmount()),
  description: Type.Optional(description()),
});

export const updateApiKeyBody = s.body('UpdateApiKeyBody', {
  name: Type.Optional(name()),
  allowed_origins: Type.Optional(s.nullable(origins())),
  min_amount_kobo: Type.Optional(s.nullable(minAmount())),
  max_amount_kobo: Type.Optional(s.nullable(maxAmount())),
  description: Type.Optional(s.nullable(description())),
});

export type UpdateApiKeyBody = Static<typeof updateApiKeyBody>;

export const rotateApiKeyBody = s.body('RotateApiKeyBody', {
  overlap_hours: Type.Optional(
    Type.Integer({
      description: 'How many hours the old key works beside the new one; 0: it stops at once.',
      minimum: 0,
      maximum: MAX_OVERLAP_HOURS,
      default: 24,
    }),
  ),
});

/** Origins as browsers send them, each once. What is absent stays so. */
export function boundsOf({
  allowed_origins: origins,
  ...rest
}: Omit<UpdateApiKeyBody, 'name'>): Partial<KeyBounds> {
  if (origins === undefined) return rest;
  const normal = origins && [...new Set(origins.map((origin) => originOf(origin)!))];
  return { ...rest, allowed_origins: normal };
}

const PUBLIC_KEY = `svc_pk_test_${'0123456789ab'.repeat(3)}`;

const fields = {
  object: s.kind('api_key'),
  id: s.id('key'),
  kind: keyKind(),
  mode: s.mode('`live` or `test`: what the key works with.'),
  name: s.nullable(
    s.string('The name it was given; null where none was.', { examples: ['Web shop'] }),
  ),
  key: s.nullable(s.string('The whole of a public key; null for a secret key.'), {
    examples: [PUBLIC_KEY],
  }),
  last4: s.string('The end of the key, to tell it from others.', { examples: ['x7f2'] }),
  allowed_origins: s.nullable(Type.Array(Type.String()), {
    description: ANY_ORIGIN,
    examples: [['https://shop.example']],
  }),
  min_amount_kobo: s.nullable(minAmount()),
  max_amount_kobo: s.nullable(maxAmount()),
  description: s.nullable(s.string(KEY_DESCRIPTION, { examples: ['Donation to Ada’s school'] })),
  created_at: s.time('When it was created.'),
  last_used_at: s.nullable(
    s.time('When it was last used, to ten minutes; null where it was not used yet.'),
  ),
  expires_at: s.nullInExample(
    s.time('Until when it works, since it was rotated; null where it was not.'),
  ),
  revoked_at: s.nullInExample(s.time('When it was revoked; null where it was not.')),
};

export const apiKey = s.object('ApiKey', 'A secret or public key.', fields);
export const apiKeys = s.listOf('ApiKeyList', apiKey, 'A page of API keys.');

/** The only answer that shows a secret key. */
export const createdApiKey = s.object('CreatedApiKey', 'A new API key, with the key itself.', {
  ...fields,
  key: s.string('The key. A secret one is shown now and never again.', {
    examples: [PUBLIC_KEY],
  }),
});

export function apiKeyView(row: ApiKeyRow) {
  return {
    object: 'api_key' as const,
    id: row.id,
    kind: row.kind,
    mode: row.mode,
    name: row.name,
    key: row.public_key,
    last4: row.last4,
    allowed_origins: row.allowed_origins,
    min_amount_kobo: row.min_amount_kobo,
    max_amount_kobo: row.max_amount_kobo,
    description: row.description,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
