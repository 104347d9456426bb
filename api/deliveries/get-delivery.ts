import { findDelivery, noSuchDelivery, triesOf } from '../../domain/webhooks/delivery/delivery.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { deliveryView, deliveryWithTries, tryView } from './schemas.ts';

export const getDelivery = route({
  method: 'get',
  path: '/deliveries/:id',
  operationId: 'getDelivery',
  summary: 'Read a delivery with every try: when, how long it took, what the endpoint answered',
  credential: 'develop',
  answers: { 200: deliveryWithTries },
  async handle({ context, caller, params }) {
    const row = await findDelivery(
      context.db,
      await caller(),
      pathId(params, 'dlv', noSuchDelivery),
    );
    const tries = await triesOf(context.db, row.id);
    return { status: 200, body: { ...deliveryView(row), tries: tries.map(tryView) } };
  },
});
