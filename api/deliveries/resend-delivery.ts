import { noSuchDelivery } from '../../domain/webhooks/delivery/delivery.ts';
import { resendDelivery as resend } from '../../domain/webhooks/delivery/resend.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { delivery, deliveryView } from './schemas.ts';

export const resendDelivery = route({
  method: 'post',
  path: '/deliveries/:id/resend',
  operationId: 'resendDelivery',
  summary: 'Send an event to its endpoint again: a new delivery, with tries of its own',
  credential: 'develop',
  answers: { 201: delivery },
  refusals: ['invalid_state'],
  idempotent: true,
  handle: (call) =>
    withIdempotency(call, async (tx, caller) => {
      const row = await resend(tx, caller, pathId(call.params, 'dlv', noSuchDelivery));
      return { status: 201, body: deliveryView(row) };
    }),
});
