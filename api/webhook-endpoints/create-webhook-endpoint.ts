import { createEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import { defaultEventTypes } from '../../domain/webhooks/event/publish.ts';
import { changeRoute } from '../http/idempotency.ts';
import {
  checkUrl,
  createWebhookEndpointBody,
  endpointView,
  endpointWithSecret,
} from './schemas.ts';

export const createWebhookEndpoint = changeRoute({
  path: '/webhook-endpoints',
  operationId: 'createWebhookEndpoint',
  summary: 'Register a webhook endpoint; its signing secret is shown in this answer only',
  credential: 'develop',
  body: createWebhookEndpointBody,
  answers: { 201: endpointWithSecret },
  refusals: ['invalid_state'],
  idempotent: true,
  sealed: true,
  async change(
    tx,
    caller,
    { context, body: { url, event_types: eventTypes = defaultEventTypes } },
  ) {
    checkUrl(context.env, url);
    const { row, secret } = await createEndpoint(tx, caller, { url, eventTypes });
    return { ...(await endpointView(tx.sql, row, tx.now)), secret };
  },
});
