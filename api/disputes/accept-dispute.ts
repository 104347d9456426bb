import { respondToDispute } from '../../domain/payments/commands/respond-to-dispute.ts';
import { disputeResponseView } from '../../domain/payments/dispute-response/row.ts';
import { changeRoute } from '../http/idempotency.ts';
import { acceptDisputeBody, disputeResponse } from './schemas.ts';

export const acceptDispute = changeRoute({
  path: '/disputes/:id/accept',
  operationId: 'acceptDispute',
  summary:
    'Accept a dispute, so that the money goes back to the payer. Where the business wants two ' +
    'Owners for that, the first acceptance is `requested` until another Owner accepts, too',
  credential: 'accept disputes',
  body: acceptDisputeBody,
  answers: { 202: disputeResponse },
  refusals: ['invalid_state'],
  idempotent: true,
  async change(tx, caller, { id: disputeId, body: { note: details } }) {
    const wanted = { disputeId, kind: 'acceptance', content: { details } } as const;
    return disputeResponseView(await respondToDispute(tx, caller, wanted));
  },
});
