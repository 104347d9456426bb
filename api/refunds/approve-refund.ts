import { approveRefund as approve } from '../../domain/payments/commands/approve-or-reject-refund.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { changeRoute } from '../http/idempotency.ts';
import { refund } from './schemas.ts';

export const approveRefund = changeRoute({
  path: '/refunds/:id/approve',
  operationId: 'approveRefund',
  summary:
    'Approve a requested refund, so that it is sent to the provider. Where the business wants two ' +
    'Owners for its amount, the first approval leaves it `requested`, with `first_approved_at`',
  credential: 'decide refunds',
  answers: { 200: refund },
  refusals: ['invalid_state'],
  change: async (tx, owner, { id }) => refundView(await approve(tx, owner, id)),
});
