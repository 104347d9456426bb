import { listDeliveries as selectDeliveries } from '../../domain/webhooks/delivery/delivery.ts';
import { listRoute } from '../http/cursor.ts';
import { deliveries, deliveriesQuery, deliveryView } from './schemas.ts';

export const listDeliveries = listRoute({
  path: '/deliveries',
  operationId: 'listDeliveries',
  summary: 'List deliveries, newest first, of an endpoint, an event or in a status',
  credential: 'develop',
  query: deliveriesQuery,
  answer: deliveries,
  async list({ context, query }, caller, page) {
    const { endpoint: endpointId, event: eventId, status } = query;
    const wanted = { ...page, endpointId, eventId, status };
    const rows = await context.read((db) => selectDeliveries(db, caller, wanted));
    return rows.map(deliveryView);
  },
});
