import { eventTypes } from '../../domain/webhooks/entities/event.ts';
import type { EventType } from '../../domain/webhooks/event/publish.ts';
import { envelopes, payloads, titleOf } from '../events/schemas.ts';
import { documented } from './components.ts';
import { exampleOf } from './example.ts';
import { retryWaits } from './retry-words.ts';
import type { Components, OpenApiDocument, Operation, Parameter } from './types.ts';

/** Adds schemas to `schemas`. */
export function webhooksOf(schemas: Components['schemas']): OpenApiDocument['x-webhooks'] {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: deliveryOf(type, schemas) }]));
}

function deliveryOf(type: EventType, schemas: Components['schemas']): Operation {
  const { about, status } = payloads[type];
  const schema = documented(envelopes[type], schemas);
  const envelope = exampleOf(schema, schemas) as { data: object };
  const example = { ...envelope, data: { ...envelope.data, status } };
  return {
    operationId: `on${titleOf(type).replace(/Event$/, '')}`,
    tags: ['webhooks'],
    summary: about,
    description:
      'Verify the signature over the raw body before you trust it. ' +
      'Each event may arrive more than once: act once per `id`.',
    security: [],
    parameters: signatureHeaders,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': { description: 'Received. Answer within 10 seconds; do slow work afterwards.' },
      '410': {
        description: 'The endpoint is gone: it is disabled, and nothing more is sent to it.',
      },
      default: {
        description: `Not received. It is sent again after ${retryWaits}.`,
      },
    },
  };
}

const signatureHeaders: Parameter[] = [
  header(
    'Service-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `t`, a dot and the raw body, keyed with the ' +
      'whole `whsec_…` text. While a secret is rotated there is one `v1` per secret.',
  ),
  header('webhook-id', 'The id of the event (Standard Webhooks).'),
  header('webhook-timestamp', 'Unix seconds of this try (Standard Webhooks).'),
  header('webhook-signature', '`v1,<base64>`, several separated by spaces (Standard Webhooks).'),
];

function header(name: string, description: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
