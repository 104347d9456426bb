import { transactionView } from '../../domain/payments/charge/row.ts';
import { chargesOfSettlement, findSettlement } from '../../domain/settlements/settlement/find.ts';
import { listRoute, pageQuery } from '../http/cursor.ts';
import { idOf } from '../http/route.ts';
import { transactions } from '../transactions/schemas.ts';

export const listSettlementTransactions = listRoute({
  path: '/settlements/:id/transactions',
  operationId: 'listSettlementTransactions',
  summary: 'List the transactions in a settlement, newest first',
  credential: 'read',
  query: pageQuery,
  answer: transactions,
  async list({ context, params }, caller, page) {
    const settlement = await findSettlement(context.db, caller, idOf(params));
    const rows = await context.read((db) => chargesOfSettlement(db, caller, settlement, page));
    return rows.map(transactionView);
  },
});
