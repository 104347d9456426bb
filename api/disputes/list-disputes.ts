import { listDisputes as selectDisputes } from '../../domain/payments/dispute/list.ts';
import { disputeView } from '../../domain/payments/dispute/row.ts';
import { listRoute } from '../http/cursor.ts';
import { disputes, disputesQuery } from './schemas.ts';

export const listDisputes = listRoute({
  path: '/disputes',
  operationId: 'listDisputes',
  summary: 'List disputes, newest first, by how they stand',
  credential: 'read',
  query: disputesQuery,
  answer: disputes,
  async list({ context, query: { status } }, caller, page) {
    const rows = await context.read((db) => selectDisputes(db, caller, { ...page, status }));
    return rows.map((row) => disputeView(row, row.number));
  },
});
