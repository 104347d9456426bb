import Type from 'typebox';
import type { DeliveryRow, TryRow } from '../../domain/webhooks/delivery/delivery.ts';
import { deliveryStatuses } from '../../domain/webhooks/entities/delivery.ts';
import { eventTypes } from '../../domain/webhooks/entities/event.ts';
import { listQuery } from '../http/cursor.ts';
import * as s from '../http/schema.ts';

const status = (description: string) =>
  s.choice('DeliveryStatus', deliveryStatuses, { description, examples: ['delivered'] });

export const deliveriesQuery = listQuery({
  endpoint: Type.Optional(s.id('whe', 'Only deliveries to this endpoint.')),
  event: Type.Optional(s.id('evt', 'Only deliveries of this event.')),
  status: Type.Optional(status('Only deliveries in this status.')),
});

const statusCode = (description: string) =>
  s.nullable(Type.Integer({ description, examples: [200] }));
const error = (description: string) => s.nullInExample(s.string(description));

const fields = {
  object: s.kind('delivery'),
  id: s.id('dlv'),
  endpoint_id: s.id('whe', 'The endpoint it goes to.'),
  event_id: s.nullable(s.id('evt', 'The event it delivers; null for a test.')),
  event_type: s.nullable(
    s.choice('EventType', eventTypes, { description: 'The type of that event; null for a test.' }),
  ),
  status: status(
    'Current status. `pending` while it is tried; `delivered` when the endpoint answered 2xx; ' +
      '`exhausted` after the last try; `cancelled` when its endpoint was disabled or deleted.',
  ),
  resend_of: s.nullInExample(s.id('dlv', 'The delivery it repeats; null: none.')),
  try_count: s.count('How often it was tried.', 1),
  last_status_code: statusCode('What the endpoint answered to the last try; null: no answer.'),
  last_error: error('What went wrong with the last try; null where there was an answer.'),
  next_try_at: s.nullInExample(s.time('When it is tried again; null: never.')),
  created_at: s.time('When it was created.'),
  finished_at: s.nullable(
    s.time('When it was delivered, exhausted or cancelled; null while it is pending.'),
  ),
  mode: s.mode('`live` or `test`: the mode of the endpoint.'),
};

export const delivery = s.object('Delivery', 'The delivery of one event to one endpoint.', fields);
export const deliveries = s.listOf('DeliveryList', delivery, 'A page of deliveries.');

const deliveryTry = s.object('DeliveryTry', 'One request to the endpoint.', {
  try: Type.Integer({ description: 'Which try it was, from 1 on.', minimum: 1, examples: [1] }),
  at: s.time('When it began.'),
  duration_ms: s.count('How long it took, in ms.', 84),
  status_code: statusCode('What the endpoint answered; null: no answer.'),
  error: error('What went wrong; null where there was an answer.'),
  headers: s.nullable(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
    {
      description:
        'The headers of the request, signed with the secrets that the endpoint has now; null for a ' +
        'test, and where the endpoint was deleted.',
      examples: [{ 'webhook-id': 'evt_01k2v8n0d4e7g9h3j5m6p8q1rs' }],
    },
  ),
  answer: s.nullable(
    s.string('The first 2 kB of the answer; null: no answer.', { examples: ['ok'] }),
  ),
});

export const deliveryWithTries = s.object('DeliveryWithTries', 'A delivery with every try.', {
  ...fields,
  body: s.nullable(s.string('The body that every try sends; null for a test.'), {
    examples: ['{"id":"evt_01k2v8n0d4e7g9h3j5m6p8q1rs","type":"charge.succeeded"}'],
  }),
  tries: Type.Array(deliveryTry, {
    description: 'Every try, the first one first; stored for 30 days.',
  }),
});

export function deliveryView(row: DeliveryRow) {
  return {
    object: 'delivery' as const,
    id: row.id,
    endpoint_id: row.endpoint_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    resend_of: row.resend_of,
    try_count: row.try_count,
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    next_try_at: row.due_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    mode: row.mode,
  };
}

export function tryView(row: TryRow) {
  return { ...row, at: row.at.toISOString() };
}
