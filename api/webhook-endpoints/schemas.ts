import Type from 'typebox';
import type { Env } from '../../config/env.ts';
import { invalid } from '../../domain/shared/problems.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { missedSince } from '../../domain/webhooks/delivery/resend-missed.ts';
import { problemOfWebhookUrl } from '../../domain/webhooks/endpoint/address.ts';
import { type CountedEndpoint, countPending } from '../../domain/webhooks/endpoint/find.ts';
import { type EndpointRow, stillSigning } from '../../domain/webhooks/endpoint/secrets.ts';
import { disabledReasons } from '../../domain/webhooks/entities/endpoint.ts';
import { eventTypes } from '../../domain/webhooks/entities/event.ts';
import * as s from '../http/schema.ts';

const url = () =>
  s.text(2_048, {
    format: 'webhook-url',
    description: 'Where webhooks are sent: an https address on the public internet.',
    examples: ['https://shop.example/webhooks'],
  });

const types = () =>
  Type.Array(s.choice('EventType', eventTypes), {
    description: 'The types of event that are sent to it.',
    minItems: 1,
    maxItems: eventTypes.length,
    uniqueItems: true,
    examples: [['charge.succeeded', 'refund.completed']],
  });

const status = (description: string) =>
  s.choice('WebhookEndpointStatus', ['enabled', 'disabled'], { description });

export const createWebhookEndpointBody = s.body('CreateWebhookEndpointBody', {
  url: url(),
  event_types: Type.Optional(types()),
});

export const updateWebhookEndpointBody = s.body('UpdateWebhookEndpointBody', {
  url: Type.Optional(url()),
  event_types: Type.Optional(types()),
  status: Type.Optional(
    status('`disabled` stops it and cancels its pending deliveries; `enabled` starts it again.'),
  ),
});

export const resendBody = s.body('ResendBody', {
  since: Type.String({
    description: 'Events from this time on.',
    maxLength: 40,
    format: 'instant',
    examples: ['2026-01-31T09:00:00Z'],
  }),
});

/** Throws `validation_failed`. Names are checked again when they are resolved. */
export function checkUrl({ webhookAllowedHosts }: Env, address: string): void {
  const problem = problemOfWebhookUrl(address, webhookAllowedHosts);
  if (problem !== undefined) throw invalid({ url: problem });
}

const fields = {
  object: s.kind('webhook_endpoint'),
  id: s.id('whe'),
  url: url(),
  mode: s.mode('`live` or `test`: whose events are sent to it.'),
  event_types: types(),
  status: status('Current status. `disabled`: nothing is sent to it.'),
  disabled_reason: s.nullInExample(
    s.choice('DisabledReason', disabledReasons, {
      description:
        'Why it is disabled: `by_hand`; `gone`, because it answered 410; `failing`, because it ' +
        'failed for five days without a single success. Null while it is enabled.',
    }),
  ),
  disabled_at: s.nullInExample(s.time('When it was disabled; null while it is enabled.')),
  failing_since: s.nullInExample(
    s.time('Its first failure since its last success; null when the last try succeeded.'),
  ),
  missed_since: s.nullInExample(
    s.time(
      'Time of the first event it missed while it was disabled: enable it and send them with ' +
        '`resend`. Null: none.',
    ),
  ),
  pending_deliveries: s.count('How many deliveries wait for it, counted up to 10,000.'),
  secrets: Type.Array(
    s.object('EndpointSecret', 'A secret that signs deliveries, without the secret itself.', {
      until: s.nullInExample(s.time('Until when it signs; null for the current one.')),
    }),
    {
      description:
        'The secrets that sign its deliveries now: the current one and those of the last 24 hours.',
    },
  ),
  created_at: s.time('When it was created.'),
};

export const endpoint = s.object('WebhookEndpoint', 'Where webhooks of a mode are sent.', fields);
export const endpoints = s.listOf('WebhookEndpointList', endpoint, 'A page of webhook endpoints.');

/** Only these two answers show the secret. */
export const endpointWithSecret = s.object(
  'WebhookEndpointWithSecret',
  'A webhook endpoint with its new secret.',
  {
    ...fields,
    secret: s.string('Signs every delivery. It is shown now and never again.', {
      examples: ['whsec_bmV2ZXIgdXNlIHRoaXMgb25lLCBpdCBpcyBhIHNhbXBsZQ=='],
    }),
  },
);

export const testResult = s.object('TestDelivery', 'What the endpoint answered to a test.', {
  status_code: s.nullable(
    Type.Integer({ description: 'The status it answered; null: no answer.', examples: [200] }),
  ),
  error: s.nullInExample(s.string('What went wrong; null where there was an answer.')),
  duration_ms: s.count('How long it took, in ms.', 84),
  delivery_id: s.id('dlv', 'The delivery that records it.'),
});

export const resend = s.object('Resend', 'The events that are sent again.', {
  object: s.kind('resend'),
  endpoint_id: s.id('whe', 'The endpoint it is sent to.'),
  since: s.time('The time asked for.'),
  scheduled: s.count('How many events are sent now.', 12),
  next_since: s.nullInExample(
    s.time('Where to continue: one request does not send them all; null: that was all.'),
  ),
  pending_deliveries: s.count('How many deliveries wait for the endpoint.', 12),
});

/** Every field is always present. */
export async function endpointView(sql: Sql, endpoint: EndpointRow, now: Date) {
  return countedEndpointView(await countPending(sql, endpoint), now);
}

export function countedEndpointView(row: CountedEndpoint, now: Date) {
  return {
    object: 'webhook_endpoint' as const,
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
