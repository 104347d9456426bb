import { listSettlements as selectSettlements } from '../../domain/settlements/settlement/find.ts';
import { settlementView } from '../../domain/settlements/settlement/row.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import { daysOf } from '../http/days.ts';
import { route } from '../http/route.ts';
import { settlements, settlementsQuery } from './schemas.ts';

const LIST = 'settlements';

export const listSettlements = route({
  method: 'get',
  path: '/settlements',
  operationId: 'listSettlements',
  summary: 'List settlements, newest first; from and to are about the expected date',
  credential: 'read',
  query: settlementsQuery,
  answers: { 200: settlements },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const { status, provider: slot } = query;
    const wanted = {
      status,
      slot,
      expected: daysOf(query),
      before: page.before,
      limit: page.limit + 1,
    };
    const rows = await context.read((db) => selectSettlements(db, who, wanted));
    return listReply(who, LIST, page, rows, settlementView);
  },
});
