import { respondToDispute } from '../../domain/payments/commands/respond-to-dispute.ts';
import { disputeResponseView } from '../../domain/payments/dispute-response/row.ts';
import { changeRoute } from '../http/idempotency.ts';
import { disputeEvidenceBody, disputeResponse, MAX_FILE_BYTES } from './schemas.ts';

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
  // The file as text is a third longer.
  maxBodyBytes: 2 * MAX_FILE_BYTES,
  async change(tx, caller, { id: disputeId, body: { file: text, ...content } }) {
    const file = text === undefined ? undefined : Buffer.from(text, 'base64');
    const wanted = { disputeId, kind: 'evidence', content, file } as const;
    return disputeResponseView(await respondToDispute(tx, caller, wanted));
  },
});
