import { listSettlements as selectSettlements } from '../../domain/settlements/settlement/find.ts';
import { settlementView } from '../../domain/settlements/settlement/row.ts';
import { listRoute } from '../http/cursor.ts';
import { daysOf } from '../http/days.ts';
import { settlements, settlementsQuery } from './schemas.ts';

export const listSettlements = listRoute({
  path: '/settlements',
  operationId: 'listSettlements',
  summary: 'List settlements, newest first; from and to are about the expected date',
  credential: 'read',
  query: settlementsQuery,
  answer: settlements,
  async list({ context, query }, caller, page) {
    const { status, provider: slot } = query;
    const wanted = { ...page, status, slot, expected: daysOf(query) };
    const rows = await context.read((db) => selectSettlements(db, caller, wanted));
    return rows.map(settlementView);
  },
});
