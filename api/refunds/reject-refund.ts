import { rejectRefund as reject } from '../../domain/payments/commands/approve-or-reject-refund.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { changeRoute } from '../http/idempotency.ts';
import { refund, rejectRefundBody } from './schemas.ts';

export const rejectRefund = changeRoute({
  path: '/refunds/:id/reject',
  operationId: 'rejectRefund',
  summary: 'Reject a requested refund; nothing is sent',
  credential: 'decide refunds',
  body: rejectRefundBody,
  answers: { 200: refund },
  refusals: ['invalid_state'],
  change: async (tx, owner, { id, body }) => refundView(await reject(tx, owner, id, body.reason)),
});
