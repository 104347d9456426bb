import { listDiscrepancies as selectDiscrepancies } from '../../domain/settlements/discrepancy/list.ts';
import { discrepancyView } from '../../domain/settlements/discrepancy/row.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import { daysOf } from '../http/days.ts';
import { route } from '../http/route.ts';
import { discrepancies, discrepanciesQuery } from './schemas.ts';

const LIST = 'discrepancies';

export const listDiscrepancies = route({
  method: 'get',
  path: '/discrepancies',
  operationId: 'listDiscrepancies',
  summary: 'List discrepancies, newest first; from and to are about the day they belong to',
  credential: 'read',
  query: discrepanciesQuery,
  answers: { 200: discrepancies },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const { status, kind, provider: slot, settlement: settlementId } = query;
    const wanted = {
      status,
      kind,
      slot,
      settlementId,
      days: daysOf(query),
      before: page.before,
      limit: page.limit + 1,
    };
    const rows = await context.read((db) => selectDiscrepancies(db, who, wanted));
    return listReply(who, LIST, page, rows, discrepancyView);
  },
});
