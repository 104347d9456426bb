import { respondToDispute } from '../../domain/payments/commands/respond-to-dispute.ts';
import { disputeResponseView } from '../../domain/payments/dispute-response/row.ts';
import { changeRoute } from '../http/idempotency.ts';
import { disputeEvidenceBody, disputeResponse } from './schemas.ts';

export const sendDisputeEvidence = changeRoute({
  path: '/disputes/:id/evidence',
  operationId: 'sendDisputeEvidence',
  summary:
    'Contest a dispute: send its provider evidence that the customer got what was paid for; the ' +
    'provider takes one answer',
  credential: 'answer disputes',
  body: disputeEvidenceBody,
  answers: { 202: disputeResponse },
  refusals: ['invalid_state'],
  idempotent: true,
  async change(tx, caller, { id: disputeId, body: content }) {
    const wanted = { disputeId, kind: 'evidence', content } as const;
    return disputeResponseView(await respondToDispute(tx, caller, wanted));
  },
});
