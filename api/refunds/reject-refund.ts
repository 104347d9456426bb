import { rejectRefund as writeRejection } from '../../domain/payments/commands/approve-or-reject-refund.ts';
import { noSuchRefund } from '../../domain/payments/refund/find.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { changeInTx } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { refund, rejectRefundBody } from './schemas.ts';

export const rejectRefund = route({
  method: 'post',
  path: '/refunds/:id/reject',
  operationId: 'rejectRefund',
  summary: 'Reject a requested refund; nothing is sent',
  credential: 'decide refunds',
  body: rejectRefundBody,
  answers: { 200: refund },
  refusals: ['invalid_state'],
  async handle({ context, caller, params, body }) {
    const who = await caller();
    return changeInTx(context, async (tx) => ({
      status: 200,
      body: refundView(
        await writeRejection(tx, who, pathId(params, 'ref', noSuchRefund), body.reason),
      ),
    }));
  },
});
