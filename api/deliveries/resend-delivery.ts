import { resendDelivery as resend } from '../../domain/webhook/resend.ts';
import { once } from '../once.ts';
import type { Route } from '../route.ts';
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
    once(call, async (phase, caller) => {
      const { row, jobs } = await resend(phase, caller, deliveryId(call.params));
      return { status: 201, body: deliveryView(row), jobs };
    }),
};
