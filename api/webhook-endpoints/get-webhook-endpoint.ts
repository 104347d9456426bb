import { findEndpoint, noSuchEndpoint } from '../../domain/webhooks/endpoint/find.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { endpoint, endpointView } from './schemas.ts';

export const getWebhookEndpoint = route({
  method: 'get',
  path: '/webhook-endpoints/:id',
  operationId: 'getWebhookEndpoint',
  summary:
    'Read a webhook endpoint: whether it fails, since when it missed events, how many wait for it',
  credential: 'develop',
  answers: { 200: endpoint },
  async handle({ context, caller, params }) {
    const row = await findEndpoint(
      context.db,
      await caller(),
      pathId(params, 'whe', noSuchEndpoint),
    );
    return { status: 200, body: await endpointView(context.db, row, context.clock()) };
  },
});
