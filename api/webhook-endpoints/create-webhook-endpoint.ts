import { createEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import { defaultEventTypes } from '../../domain/webhooks/event/publish.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { type ApiRequest, route } from '../http/route.ts';
import {
  type CreateWebhookEndpointBody,
  checkUrl,
  createWebhookEndpointBody,
  endpointView,
  endpointWithSecret,
} from './schemas.ts';

export const createWebhookEndpoint = route({
  method: 'post',
  path: '/webhook-endpoints',
  operationId: 'createWebhookEndpoint',
  summary: 'Register a webhook endpoint; its signing secret is shown in this answer only',
  credential: 'develop',
  body: createWebhookEndpointBody,
  answers: { 201: endpointWithSecret },
  refusals: ['invalid_state'],
  idempotent: true,
  handle: create,
});

function create(call: ApiRequest<CreateWebhookEndpointBody>) {
  const { url, event_types: eventTypes = defaultEventTypes } = call.body;
  checkUrl(call.context.env, url);
  return withIdempotency(
    call,
    async (tx, caller) => {
      const { row, secret } = await createEndpoint(tx, caller, { url, eventTypes });
      return { status: 201, body: { ...(await endpointView(tx.sql, row, tx.now)), secret } };
    },
    { sealed: true },
  );
}
