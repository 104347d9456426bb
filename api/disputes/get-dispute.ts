import { findDispute } from '../../domain/payments/dispute/list.ts';
import { disputeView } from '../../domain/payments/dispute/row.ts';
import { readRoute } from '../http/route.ts';
import { dispute } from './schemas.ts';

export const getDispute = readRoute({
  path: '/disputes/:id',
  operationId: 'getDispute',
  summary: 'Read a dispute',
  credential: 'read',
  answer: dispute,
  async read({ db }, caller, id) {
    const row = await findDispute(db, caller, id);
    return disputeView(row, row.number);
  },
});
