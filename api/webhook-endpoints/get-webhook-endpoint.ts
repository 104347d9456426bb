import { findEndpoint } from '../../domain/webhooks/endpoint/find.ts';
import { readRoute } from '../http/route.ts';
import { endpoint, endpointView } from './schemas.ts';

export const getWebhookEndpoint = readRoute({
  path: '/webhook-endpoints/:id',
  operationId: 'getWebhookEndpoint',
  summary:
    'Read a webhook endpoint: whether it fails, since when it missed events, how many wait for it',
  credential: 'develop',
  answer: endpoint,
  read: async ({ db, clock }, caller, id) =>
    endpointView(db, await findEndpoint(db, caller, id), clock()),
});
