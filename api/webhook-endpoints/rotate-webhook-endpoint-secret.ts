import { rotateSecret } from '../../domain/webhooks/endpoint/change.ts';
import { noSuchEndpoint } from '../../domain/webhooks/endpoint/find.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { endpointView, endpointWithSecret } from './schemas.ts';

export const rotateWebhookEndpointSecret = route({
  method: 'post',
  path: '/webhook-endpoints/:id/rotate-secret',
  operationId: 'rotateWebhookEndpointSecret',
  summary:
    'Give an endpoint a new signing secret, shown in this answer only; ' +
    'the previous one signs beside it for 24 hours',
  credential: 'develop',
  answers: { 201: endpointWithSecret },
  refusals: ['invalid_state'],
  idempotent: true,
  handle: (call) =>
    withIdempotency(
      call,
      async (tx, caller) => {
        const { row, secret } = await rotateSecret(
          tx,
          caller,
          pathId(call.params, 'whe', noSuchEndpoint),
        );
        return { status: 201, body: { ...(await endpointView(tx.sql, row, tx.now)), secret } };
      },
      { sealed: true },
    ),
});
