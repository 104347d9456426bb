import { deleteEndpoint } from '../../domain/webhooks/endpoint/change.ts';
import { changeRoute } from '../http/idempotency.ts';
import { endpoint, endpointView } from './schemas.ts';

export const deleteWebhookEndpoint = changeRoute({
  method: 'delete',
  path: '/webhook-endpoints/:id',
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint; its pending deliveries are cancelled',
  credential: 'develop',
  answers: { 200: endpoint },
  change: async (tx, caller, { id }) =>
    endpointView(tx.sql, await deleteEndpoint(tx, caller, id), tx.now),
});
