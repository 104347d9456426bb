import { resendMissed } from '../../domain/webhooks/delivery/resend-missed.ts';
import { noSuchEndpoint } from '../../domain/webhooks/endpoint/find.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { resend, resendBody } from './schemas.ts';

export const resendToWebhookEndpoint = route({
  method: 'post',
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
  handle: (call) =>
    withIdempotency(call, async (tx, caller) => {
      const since = new Date(call.body.since);
      const { endpoint, scheduled, nextSince } = await resendMissed(
        tx,
        caller,
        pathId(call.params, 'whe', noSuchEndpoint),
        since,
      );
      const body = {
        object: 'resend' as const,
        endpoint_id: endpoint.id,
        since: since.toISOString(),
        scheduled,
        next_since: nextSince?.toISOString() ?? null,
        pending_deliveries: endpoint.pending,
      };
      return { status: 202, body };
    }),
});
