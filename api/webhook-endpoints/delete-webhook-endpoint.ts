import { deleteEndpoint } from '../../domain/webhooks/endpoint/change.ts';
import { noSuchEndpoint } from '../../domain/webhooks/endpoint/find.ts';
import { changeInTx } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { endpoint, endpointView } from './schemas.ts';

export const deleteWebhookEndpoint = route({
  method: 'delete',
  path: '/webhook-endpoints/:id',
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint; its pending deliveries are cancelled',
  credential: 'develop',
  answers: { 200: endpoint },
  async handle({ context, caller, params }) {
    const who = await caller();
    const id = pathId(params, 'whe', noSuchEndpoint);
    return changeInTx(context, async (tx) => {
      const row = await deleteEndpoint(tx, who, id);
      return { status: 200, body: await endpointView(tx.sql, row, tx.now) };
    });
  },
});
