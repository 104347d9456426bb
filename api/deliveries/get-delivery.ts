import { findDelivery, triesOf } from '../../domain/webhooks/delivery/delivery.ts';
import { readRoute } from '../http/route.ts';
import { deliveryView, deliveryWithTries, tryView } from './schemas.ts';

export const getDelivery = readRoute({
  path: '/deliveries/:id',
  operationId: 'getDelivery',
  summary: 'Read a delivery with every try: when, how long it took, what the endpoint answered',
  credential: 'develop',
  answer: deliveryWithTries,
  async read({ db }, caller, id) {
    const row = await findDelivery(db, caller, id);
    return { ...deliveryView(row), tries: (await triesOf(db, id)).map(tryView) };
  },
});
