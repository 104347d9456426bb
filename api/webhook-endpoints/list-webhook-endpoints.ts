import { listEndpoints } from '../../domain/webhooks/endpoint/find.ts';
import { listRoute, pageQuery } from '../http/cursor.ts';
import { countedEndpointView, endpoints } from './schemas.ts';

export const listWebhookEndpoints = listRoute({
  path: '/webhook-endpoints',
  operationId: 'listWebhookEndpoints',
  summary: 'List the webhook endpoints of your mode, newest first',
  credential: 'develop',
  query: pageQuery,
  answer: endpoints,
  async list({ context: { db, clock } }, caller, { before, limit }) {
    const rows = await listEndpoints(db, caller, before, limit);
    return rows.map((row) => countedEndpointView(row, clock()));
  },
});
