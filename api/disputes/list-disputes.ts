import { listDisputes as selectDisputes } from '../../domain/payments/dispute/list.ts';
import { disputeView } from '../../domain/payments/dispute/row.ts';
import { wantedNumber } from '../../domain/shared/ids.ts';
import { listRoute } from '../http/cursor.ts';
import { disputes, disputesQuery } from './schemas.ts';

export const listDisputes = listRoute({
  path: '/disputes',
  operationId: 'listDisputes',
  summary:
    'List disputes, newest first, by how they stand and by the service reference of their charge',
  credential: 'read',
  query: disputesQuery,
  answer: disputes,
  async list({ context, query: { status, reference } }, caller, page) {
    const wanted = { ...page, status, chargeNumber: wantedNumber(reference) };
    const rows = await context.read((db) => selectDisputes(db, caller, wanted));
    return rows.map((row) => disputeView(row, row.number));
  },
});
