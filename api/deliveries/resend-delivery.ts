import { resendDelivery as resend } from '../../domain/webhooks/delivery/resend.ts';
import { changeRoute } from '../http/idempotency.ts';
import { delivery, deliveryView } from './schemas.ts';

export const resendDelivery = changeRoute({
  path: '/deliveries/:id/resend',
  operationId: 'resendDelivery',
  summary: 'Send an event to its endpoint again: a new delivery, with tries of its own',
  credential: 'develop',
  answers: { 201: delivery },
  refusals: ['invalid_state'],
  idempotent: true,
  change: async (tx, caller, { id }) => deliveryView(await resend(tx, caller, id)),
});
