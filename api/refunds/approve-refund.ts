import { approveRefund as writeApproval } from '../../domain/payments/commands/approve-or-reject-refund.ts';
import { noSuchRefund } from '../../domain/payments/refund/find.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { changeInTx } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { refund } from './schemas.ts';

export const approveRefund = route({
  method: 'post',
  path: '/refunds/:id/approve',
  operationId: 'approveRefund',
  summary:
    'Approve a requested refund, so that it is sent to the provider; ' +
    'an Owner may approve a request of their own',
  credential: 'decide refunds',
  answers: { 200: refund },
  refusals: ['invalid_state'],
  async handle({ context, caller, params }) {
    const who = await caller();
    return changeInTx(context, async (tx) => {
      const approved = await writeApproval(tx, who, pathId(params, 'ref', noSuchRefund));
      return { status: 200, body: refundView(approved) };
    });
  },
});
