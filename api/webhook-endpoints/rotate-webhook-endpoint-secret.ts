import { rotateSecret } from '../../domain/webhooks/endpoint/change.ts';
import { changeRoute } from '../http/idempotency.ts';
import { endpointView, endpointWithSecret } from './schemas.ts';

export const rotateWebhookEndpointSecret = changeRoute({
  path: '/webhook-endpoints/:id/rotate-secret',
  operationId: 'rotateWebhookEndpointSecret',
  summary:
    'Give an endpoint a new signing secret, shown in this answer only; ' +
    'the previous one signs beside it for 24 hours',
  credential: 'develop',
  answers: { 201: endpointWithSecret },
  refusals: ['invalid_state'],
  idempotent: true,
  sealed: true,
  async change(tx, caller, { id }) {
    const { row, secret } = await rotateSecret(tx, caller, id);
    return { ...(await endpointView(tx.sql, row, tx.now)), secret };
  },
});
