import { resendMissed } from '../../domain/webhooks/delivery/resend-missed.ts';
import { changeRoute } from '../http/idempotency.ts';
import { resend, resendBody } from './schemas.ts';

export const resendToWebhookEndpoint = changeRoute({
  path: '/webhook-endpoints/:id/resend',
  operationId: 'resendToWebhookEndpoint',
  summary:
    'Send an endpoint every event since a time that did not arrive; ' +
    'where next_since is set, ask again from there',
  credential: 'develop',
  body: resendBody,
  answers: { 202: resend },
  refusals: ['invalid_state'],
  idempotent: true,
  async change(tx, caller, { id, body }) {
    const since = new Date(body.since);
    const { endpoint, scheduled, nextSince } = await resendMissed(tx, caller, id, since);
    return {
      object: 'resend' as const,
      endpoint_id: endpoint.id,
      since: since.toISOString(),
      scheduled,
      next_since: nextSince?.toISOString() ?? null,
      pending_deliveries: endpoint.pending,
    };
  },
});
