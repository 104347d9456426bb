import { transactionView } from '../../domain/payments/charge/row.ts';
import {
  chargesOfSettlement,
  findSettlement,
  noSuchSettlement,
} from '../../domain/settlements/settlement/find.ts';
import { listReply, pageOf, pageQuery } from '../http/cursor.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { transactions } from '../transactions/schemas.ts';

export const listSettlementTransactions = route({
  method: 'get',
  path: '/settlements/:id/transactions',
  operationId: 'listSettlementTransactions',
  summary: 'List the transactions in a settlement, newest first',
  credential: 'read',
  query: pageQuery,
  answers: { 200: transactions },
  async handle({ context, caller, params, query }) {
    const who = await caller();
    const id = pathId(params, 'stl', noSuchSettlement);
    const settlement = await findSettlement(context.db, who, id);
    const list = `settlements/${settlement.id}/transactions`;
    const page = pageOf(who, list, query);
    const wanted = { before: page.before, limit: page.limit + 1 };
    const rows = await context.read((db) => chargesOfSettlement(db, who, settlement, wanted));
    return listReply(who, list, page, rows, transactionView);
  },
});
