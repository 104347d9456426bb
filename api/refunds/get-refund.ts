import { findRefund, noSuchRefund } from '../../domain/payments/refund/find.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { refund } from './schemas.ts';

export const getRefund = route({
  method: 'get',
  path: '/refunds/:id',
  operationId: 'getRefund',
  summary: 'Read a refund',
  credential: 'read',
  answers: { 200: refund },
  async handle({ context, caller, params }) {
    return {
      status: 200,
      body: refundView(
        await findRefund(context.db, await caller(), pathId(params, 'ref', noSuchRefund)),
      ),
    };
  },
});
