import { transactionView } from '../../domain/payments/charge/row.ts';
import { chargesOfSettlement, findSettlement } from '../../domain/settlements/settlement/find.ts';
import { listReply, type PageQuery, pageOf } from '../http/cursor.ts';
import type { Route } from '../http/route.ts';
import { transactions } from '../transactions/schemas.ts';
import { settlementId } from './read-settlements.ts';
import { linesQuery } from './schemas.ts';

export const listOfSettlementTransactions: Route<never, PageQuery> = {
  method: 'get',
  path: '/settlements/:id/transactions',
  summary: 'List the transactions a settlement holds, newest first',
  may: 'read',
  query: linesQuery,
  answers: { 200: transactions },
  async handle({ context, caller, params, query }) {
    const who = await caller();
    const settlement = await findSettlement(context.db, who, settlementId(params));
    const list = `settlements/${settlement.id}/transactions`;
    const page = pageOf(who, list, query);
    const rows = await chargesOfSettlement(context.db, who, settlement, {
      before: page.before,
      limit: page.limit + 1,
    });
    return listReply(who, list, page, rows, transactionView);
  },
};
