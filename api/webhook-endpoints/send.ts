import { resendSince } from '../../domain/webhooks/delivery/resend.ts';
import { recordTest, testDeliveryFor } from '../../domain/webhooks/delivery/test-delivery.ts';
import { findEndpoint } from '../../domain/webhooks/endpoint/endpoint.ts';
import { deliveryHeaders } from '../../domain/webhooks/endpoint/secrets.ts';
import { changeInTx, once } from '../http/idempotency.ts';
import type { Route } from '../http/route.ts';
import { endpointId } from './read-endpoints.ts';
import { type ResendBody, resendBody, resent, testResult } from './schemas.ts';

export const testWebhookEndpoint: Route = {
  method: 'post',
  path: '/webhook-endpoints/:id/test',
  summary:
    'Send an endpoint a signed test and wait for what it answers; a test is never tried again',
  may: 'develop',
  answers: { 200: testResult },
  async handle({ context, caller, params }) {
    const { db, clock, vault, webhooks } = context;
    const who = await caller();
    const endpoint = await findEndpoint(db, who, endpointId(params));
    const at = clock();
    const test = testDeliveryFor(endpoint, at);
    const headers = deliveryHeaders(vault, endpoint, { id: test.eventId, body: test.body }, at);
    const result = await webhooks.post(endpoint.url, headers, test.body);
    return changeInTx(context, async (tx) => {
      await recordTest(tx, who, endpoint, test, { at, ...result });
      const { statusCode, error, durationMs } = result;
      return {
        status: 200,
        body: { status_code: statusCode, error, duration_ms: durationMs, delivery_id: test.id },
      };
    });
  },
};

export const resendToWebhookEndpoint: Route<ResendBody> = {
  method: 'post',
  path: '/webhook-endpoints/:id/resend',
  summary:
    'Send an endpoint everything since a time that did not arrive; where next_since is set, ask again from there',
  may: 'develop',
  body: resendBody,
  answers: { 202: resent },
  refusals: ['invalid_state'],
  idempotent: true,
  handle: (call) =>
    once(call, async (tx, caller) => {
      const since = new Date(call.body.since);
      const { endpoint, scheduled, nextSince, jobs } = await resendSince(
        tx,
        caller,
        endpointId(call.params),
        since,
      );
      const body = {
        object: 'resend',
        endpoint_id: endpoint.id,
        since: since.toISOString(),
        scheduled,
        next_since: nextSince?.toISOString() ?? null,
        pending_deliveries: endpoint.pending,
      };
      return { status: 202, body, jobs };
    }),
};
