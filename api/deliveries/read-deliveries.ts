import { isId } from '../../domain/shared/ids.ts';
import {
  findDelivery,
  listDeliveries,
  noSuchDelivery,
  triesOf,
} from '../../domain/webhooks/delivery/delivery.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import type { Route } from '../http/route.ts';
import {
  type DeliveriesQuery,
  deliveries,
  deliveriesQuery,
  deliveryView,
  deliveryWithTries,
  tryView,
} from './schemas.ts';

const LIST = 'deliveries';

export const listOfDeliveries: Route<never, DeliveriesQuery> = {
  method: 'get',
  path: '/deliveries',
  summary: 'List deliveries, newest first, of an endpoint, an event or in a status',
  may: 'develop',
  query: deliveriesQuery,
  answers: { 200: deliveries },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const { endpoint: endpointId, event: eventId, status } = query;
    const rows = await listDeliveries(context.db, who, {
      endpointId,
      eventId,
      status,
      before: page.before,
      limit: page.limit + 1,
    });
    return listReply(who, LIST, page, rows, deliveryView);
  },
};

export const readDelivery: Route = {
  method: 'get',
  path: '/deliveries/:id',
  summary: 'Read a delivery with every try: when, how long it took, what the endpoint answered',
  may: 'develop',
  answers: { 200: deliveryWithTries },
  async handle({ context, caller, params }) {
    const row = await findDelivery(context.db, await caller(), deliveryId(params));
    const tries = await triesOf(context.db, row.id);
    return { status: 200, body: { ...deliveryView(row), tries: tries.map(tryView) } };
  },
};

/** The id in the path. Throws `not_found` when it cannot be one. */
export function deliveryId({ id = '' }: Record<string, string>): string {
  if (!isId('dlv', id)) throw noSuchDelivery();
  return id;
}
