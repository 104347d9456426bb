import { findRefund } from '../../domain/payments/refund/find.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { readRoute } from '../http/route.ts';
import { refund } from './schemas.ts';

export const getRefund = readRoute({
  path: '/refunds/:id',
  operationId: 'getRefund',
  summary: 'Read a refund',
  credential: 'read',
  answer: refund,
  read: async ({ db }, caller, id) => refundView(await findRefund(db, caller, id)),
});
