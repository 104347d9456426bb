import { createEndpoint } from '../../domain/webhook/endpoint.ts';
import { defaultEventTypes } from '../../domain/webhook/publish.ts';
import { once } from '../once.ts';
import type { ApiRequest, Reply, Route } from '../route.ts';
import {
  checkUrl,
  endpointView,
  type NewEndpointBody,
  newEndpoint,
  newEndpointBody,
} from './schemas.ts';

export const createWebhookEndpoint: Route<NewEndpointBody> = {
  method: 'post',
  path: '/webhook-endpoints',
  summary: 'Register a webhook endpoint; its signing secret is shown in this answer only',
  may: 'develop',
  body: newEndpointBody,
  answers: { 201: newEndpoint },
  refusals: ['invalid_state'],
  idempotent: true,
  handle: create,
};

function create(call: ApiRequest<NewEndpointBody>): Promise<Reply> {
  const { url, event_types: eventTypes = defaultEventTypes } = call.body;
  checkUrl(call.context.env, url);
  return once(
    call,
    async (phase, caller) => {
      const { row, secret } = await createEndpoint(phase, caller, { url, eventTypes });
      return { status: 201, body: { ...endpointView(row, phase.now), secret } };
    },
    { sealed: true },
  );
}
