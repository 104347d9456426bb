import { resendDelivery as resend } from '../../domain/webhooks/delivery/resend.ts';
import { once } from '../http/idempotency.ts';
import type { Route } from '../http/route.ts';
import { deliveryId } from './read-deliveries.ts';
import { delivery, deliveryView } from './schemas.ts';

export const resendDelivery: Route = {
  method: 'post',
  path: '/deliveries/:id/resend',
  summary: 'Send an event to its endpoint again: a new delivery, with tries of its own',
  may: 'develop',
  answers: { 201: delivery },
  refusals: ['invalid_state'],
  idempotent: true,
  handle: (call) =>
    once(call, async (tx, caller) => {
      const { row, jobs } = await resend(tx, caller, deliveryId(call.params));
      return { status: 201, body: deliveryView(row), jobs };
    }),
};
