import { listEndpoints } from '../../domain/webhooks/endpoint/find.ts';
import { listReply, pageOf, pageQuery } from '../http/cursor.ts';
import { route } from '../http/route.ts';
import { countedEndpointView, endpoints } from './schemas.ts';

const LIST = 'webhook-endpoints';

export const listWebhookEndpoints = route({
  method: 'get',
  path: '/webhook-endpoints',
  operationId: 'listWebhookEndpoints',
  summary: 'List the webhook endpoints of your mode, newest first',
  credential: 'develop',
  query: pageQuery,
  answers: { 200: endpoints },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const rows = await listEndpoints(context.db, who, page.before, page.limit + 1);
    return listReply(who, LIST, page, rows, (row) => countedEndpointView(row, context.clock()));
  },
});
