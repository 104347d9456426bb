import { sampleTransaction } from '../../domain/payments/charge/sample.ts';
import { recordTest, testDeliveryFor } from '../../domain/webhooks/delivery/test-delivery.ts';
import { findEndpoint } from '../../domain/webhooks/endpoint/find.ts';
import { deliveryHeaders } from '../../domain/webhooks/endpoint/secrets.ts';
import { idOf, route } from '../http/route.ts';
import { testResult } from './schemas.ts';

export const testWebhookEndpoint = route({
  method: 'post',
  path: '/webhook-endpoints/:id/test',
  operationId: 'testWebhookEndpoint',
  summary: 'Send an endpoint a signed test and wait for its answer; a test is never retried',
  credential: 'develop',
  answers: { 200: testResult },
  async handle({ context, caller, params }) {
    const { db, clock, vault, webhooks } = context;
    const who = await caller();
    const endpoint = await findEndpoint(db, who, idOf(params));
    const at = clock();
    const test = testDeliveryFor(endpoint, sampleTransaction(endpoint, at), at);
    const headers = deliveryHeaders(vault, endpoint, { id: test.eventId, body: test.body }, at);
    const result = await webhooks.post(endpoint.url, headers, test.body);
    return context.inTx(async (tx) => {
      await recordTest(tx, who, endpoint, test, { at, ...result });
      const { statusCode, error, durationMs } = result;
      return {
        status: 200,
        body: { status_code: statusCode, error, duration_ms: durationMs, delivery_id: test.id },
      };
    });
  },
});
