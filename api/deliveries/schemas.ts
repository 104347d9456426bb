import {
  type DeliveryRow,
  type DeliveryStatus,
  deliveryStatuses,
  type TryRow,
} from '../../domain/webhooks/delivery/delivery.ts';
import { type PageQuery, pageQuery } from '../http/cursor.ts';
import type { JsonSchema } from '../http/route.ts';
import { id, input, listOf, mode, nullable, object, string, time } from '../http/schema.ts';

export const deliveriesQuery = input([], {
  ...pageQuery,
  endpoint: id('whe'),
  event: id('evt'),
  status: { enum: deliveryStatuses },
});

export interface DeliveriesQuery extends PageQuery {
  endpoint?: string;
  event?: string;
  status?: DeliveryStatus;
}

const fields: Record<string, JsonSchema> = {
  object: { const: 'delivery' },
  id: id('dlv'),
  endpoint_id: id('whe'),
  event_id: nullable(id('evt')),
  event_type: nullable(string),
  status: { enum: deliveryStatuses },
  resend_of: nullable(id('dlv')),
  try_count: { type: 'integer', minimum: 0 },
  last_status_code: nullable({ type: 'integer' }),
  last_error: nullable(string),
  next_try_at: nullable(time),
  created_at: time,
  finished_at: nullable(time),
  mode,
};

export const delivery = object('Delivery', fields);
export const deliveries = listOf(delivery);

const oneTry = object('DeliveryTry', {
  try: { type: 'integer', minimum: 1 },
  at: time,
  duration_ms: { type: 'integer', minimum: 0 },
  status_code: nullable({ type: 'integer' }),
  error: nullable(string),
  answer: nullable(string),
});

export const deliveryWithTries = object('DeliveryWithTries', {
  ...fields,
  tries: { type: 'array', items: oneTry },
});

export function deliveryView(row: DeliveryRow) {
  return {
    object: 'delivery',
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
