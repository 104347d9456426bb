import { findDispute } from '../../domain/payments/dispute/list.ts';
import { listResponses } from '../../domain/payments/dispute-response/find.ts';
import { disputeResponseView } from '../../domain/payments/dispute-response/row.ts';
import { listRoute, pageQuery } from '../http/cursor.ts';
import { idOf } from '../http/route.ts';
import { disputeResponses } from './schemas.ts';

export const listDisputeResponses = listRoute({
  path: '/disputes/:id/responses',
  operationId: 'listDisputeResponses',
  summary: 'List what was said to a dispute, newest first, with whether its provider has it',
  credential: 'read',
  query: pageQuery,
  answer: disputeResponses,
  async list({ context, params }, caller, page) {
    const { id } = await findDispute(context.db, caller, idOf(params));
    const rows = await context.read((db) => listResponses(db, caller, id, page));
    return rows.map(disputeResponseView);
  },
});
