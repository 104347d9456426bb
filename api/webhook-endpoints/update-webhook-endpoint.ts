import { changeEndpoint } from '../../domain/webhooks/endpoint/change.ts';
import { changeRoute } from '../http/idempotency.ts';
import { checkUrl, endpoint, endpointView, updateWebhookEndpointBody } from './schemas.ts';

export const updateWebhookEndpoint = changeRoute({
  method: 'patch',
  path: '/webhook-endpoints/:id',
  operationId: 'updateWebhookEndpoint',
  summary: 'Change the address or the event types of an endpoint, disable it or enable it again',
  credential: 'develop',
  body: updateWebhookEndpointBody,
  answers: { 200: endpoint },
  async change(tx, caller, { id, context, body: { url, event_types: eventTypes, status } }) {
    if (url !== undefined) checkUrl(context.env, url);
    const row = await changeEndpoint(tx, caller, id, { url, eventTypes, status });
    return endpointView(tx.sql, row, tx.now);
  },
});
