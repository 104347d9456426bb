import type { Env } from '../../config/env.ts';
import { invalid } from '../../domain/shared/problems.ts';
import { missedSince } from '../../domain/webhooks/delivery/resend-missed.ts';
import { problemOfWebhookUrl } from '../../domain/webhooks/endpoint/address.ts';
import { disabledReasons, type EndpointRow } from '../../domain/webhooks/endpoint/endpoint.ts';
import { stillSigning } from '../../domain/webhooks/endpoint/secrets.ts';
import { type EventType, eventTypes } from '../../domain/webhooks/event/publish.ts';
import type { JsonSchema } from '../http/route.ts';
import { id, input, listOf, mode, nullable, object, string, text, time } from '../http/schema.ts';

const url = {
  ...text(2_048, 'printable'),
  description: 'Where webhooks are sent: an https address on the public internet.',
  examples: ['https://shop.example/webhooks'],
};
const types = {
  description: 'The event types it is told of.',
  type: 'array',
  minItems: 1,
  maxItems: eventTypes.length,
  uniqueItems: true,
  items: { enum: eventTypes },
};
const status = { enum: ['enabled', 'disabled'] };

/** The body of `POST /webhook-endpoints`. */
export const newEndpointBody = input(['url'], { url, event_types: types });

export interface NewEndpointBody {
  url: string;
  event_types?: EventType[];
}

/** The body of `PATCH /webhook-endpoints/{id}`. */
export const endpointChangesBody = input([], { url, event_types: types, status });

export interface EndpointChangesBody extends Partial<NewEndpointBody> {
  status?: 'enabled' | 'disabled';
}

/** The body of `POST /webhook-endpoints/{id}/resend`. */
export const resendBody = input(['since'], {
  since: { type: 'string', maxLength: 40, format: 'instant' },
});

export interface ResendBody {
  since: string;
}

/** Throws `validation_failed` for an address webhooks are never sent to. Names are judged again when they are resolved. */
export function checkUrl({ webhookAllowedHosts }: Env, address: string): void {
  const problem = problemOfWebhookUrl(address, webhookAllowedHosts);
  if (problem !== undefined) throw invalid({ url: problem });
}

const fields: Record<string, JsonSchema> = {
  object: { const: 'webhook_endpoint' },
  id: id('whe'),
  url,
  mode,
  event_types: types,
  status,
  disabled_reason: nullable({ enum: disabledReasons }),
  disabled_at: nullable(time),
  failing_since: nullable(time),
  missed_since: nullable(time),
  pending_deliveries: { type: 'integer', minimum: 0 },
  secrets: {
    type: 'array',
    items: object('EndpointSecret', { until: nullable(time) }),
  },
  created_at: time,
};

export const endpoint = object('WebhookEndpoint', fields);
export const endpoints = listOf(endpoint);

/** The two answers that show the secret. */
export const newEndpoint = object('NewWebhookEndpoint', {
  ...fields,
  secret: {
    ...string,
    description: 'Signs every delivery. It is shown now and never again.',
    examples: ['whsec_bmV2ZXIgdXNlIHRoaXMgb25lLCBpdCBpcyBhIHNhbXBsZQ=='],
  },
});

export const testResult = object('TestDelivery', {
  status_code: nullable({ type: 'integer' }),
  error: nullable(string),
  duration_ms: { type: 'integer', minimum: 0 },
  delivery_id: id('dlv'),
});

export const resent = object('Resend', {
  object: { const: 'resend' },
  endpoint_id: id('whe'),
  since: time,
  scheduled: { type: 'integer', minimum: 0 },
  next_since: nullable(time),
  pending_deliveries: { type: 'integer', minimum: 0 },
});

export function endpointView(row: EndpointRow, now: Date) {
  return {
    object: 'webhook_endpoint',
    id: row.id,
    url: row.url,
    mode: row.mode,
    event_types: row.event_types,
    status: row.status,
    disabled_reason: row.disabled_reason,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    missed_since: missedSince(row, now)?.toISOString() ?? null,
    pending_deliveries: row.pending,
    secrets: [{ until: null }, ...stillSigning(row, now).map(({ until }) => ({ until }))],
    created_at: row.created_at.toISOString(),
  };
}
