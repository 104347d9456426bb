import { listDeliveries as selectDeliveries } from '../../domain/webhooks/delivery/delivery.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import { route } from '../http/route.ts';
import { deliveries, deliveriesQuery, deliveryView } from './schemas.ts';

const LIST = 'deliveries';

export const listDeliveries = route({
  method: 'get',
  path: '/deliveries',
  operationId: 'listDeliveries',
  summary: 'List deliveries, newest first, of an endpoint, an event or in a status',
  credential: 'develop',
  query: deliveriesQuery,
  answers: { 200: deliveries },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const { endpoint: endpointId, event: eventId, status } = query;
    const wanted = { endpointId, eventId, status, before: page.before, limit: page.limit + 1 };
    const rows = await context.read((db) => selectDeliveries(db, who, wanted));
    return listReply(who, LIST, page, rows, deliveryView);
  },
});
