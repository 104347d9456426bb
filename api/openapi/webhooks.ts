import { type EventType, eventTypes } from '../../domain/webhooks/event/publish.ts';
import type { JsonSchema } from '../http/route.ts';
import { id, mode, object, time } from '../http/schema.ts';
import { place, referTo } from './components.ts';
import { exampleOf } from './example.ts';
import type { Components, OpenApiDocument, Operation, Parameter } from './types.ts';

/** What each event tells, the title of the object it tells it of, and the status that has then. */
export const events: Record<EventType, { about: string; of: string; status: string }> = {
  'charge.succeeded': {
    about: 'A charge succeeded: the money came.',
    of: 'Transaction',
    status: 'succeeded',
  },
  'charge.failed': {
    about: 'A charge failed: nobody paid, or the provider refused.',
    of: 'Transaction',
    status: 'failed',
  },
  'charge.disputed': {
    about: 'The payer disputes a payment.',
    of: 'Transaction',
    status: 'disputed',
  },
  'refund.completed': {
    about: 'A refund is done: credit the order back.',
    of: 'Refund',
    status: 'completed',
  },
  'refund.failed': { about: 'A refund did not go through.', of: 'Refund', status: 'failed' },
  'settlement.landed': {
    about:
      'A provider paid collected money out, all of it or less than expected. Told once, when it first landed.',
    of: 'Settlement',
    status: 'landed',
  },
};

/** What the service sends to webhook endpoints. `schemas` holds the objects of the API, by title. */
export function webhooksOf(schemas: Components['schemas']): OpenApiDocument['webhooks'] {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: deliveryOf(type, schemas) }]));
}

function deliveryOf(type: EventType, schemas: Components['schemas']): Operation {
  const { about, of, status } = events[type];
  const schema = place(
    envelopeOf(type, of in schemas ? referTo('schemas', of) : { type: 'object' }),
    type,
    schemas,
  );
  const envelope = exampleOf(schema, schemas) as { data: object };
  return {
    operationId: `on${type.replace(/(^|\.)([a-z])/g, (_, _dot, letter) => letter.toUpperCase())}`,
    tags: ['webhooks'],
    summary: about,
    description:
      'Verify the signature over the raw body before believing it. Each event may arrive more than once: act once per `id`.',
    security: [],
    parameters: signatureHeaders,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema,
          example: { ...envelope, data: { ...envelope.data, status } },
        },
      },
    },
    responses: {
      '2XX': { description: 'Received. Answer within 10 seconds; do slow work afterwards.' },
      '410': {
        description: 'The endpoint is gone: it is disabled, and nothing more is sent to it.',
      },
      default: {
        description:
          'Not received: tried again after 1 minute, 5 minutes, 30 minutes, 2, 6 and 12 hours.',
      },
    },
  };
}

function envelopeOf(type: EventType, data: JsonSchema): JsonSchema {
  const { title: _, ...envelope } = object(type, {
    id: id('evt'),
    type: { const: type },
    created_at: time,
    mode,
    tenant_id: id('ten'),
    data: { description: 'The object concerned, as it was then.', ...data },
  });
  return envelope;
}

const signatureHeaders: Parameter[] = [
  header(
    'Service-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `t`, a dot and the raw body, keyed with the whole `whsec_…` text. While a secret is rotated there is one `v1` per secret.',
  ),
  header('webhook-id', 'The id of the event (Standard Webhooks).'),
  header('webhook-timestamp', 'Unix seconds of this try (Standard Webhooks).'),
  header('webhook-signature', '`v1,<base64>`, several separated by spaces (Standard Webhooks).'),
];

function header(name: string, description: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
