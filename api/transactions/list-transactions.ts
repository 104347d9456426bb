import { intervalOf } from '../../domain/accounts/tenant/days.ts';
import { listCharges } from '../../domain/payments/charge/list.ts';
import { transactionView } from '../../domain/payments/charge/row.ts';
import { listRoute } from '../http/cursor.ts';
import { daysOf } from '../http/days.ts';
import { transactions, transactionsQuery } from './schemas.ts';

export const listTransactions = listRoute({
  path: '/transactions',
  operationId: 'listTransactions',
  summary:
    'List transactions, newest first; ' +
    "from and to are days of the business's time zone, on which it was paid or, until then, created",
  credential: 'read',
  query: transactionsQuery,
  answer: transactions,
  async list({ context, query }, caller, { before, limit }) {
    const { status, provider: slot, channel, customer: email } = query;
    const days = daysOf(query);
    const rows = await context.read(async (db) => {
      const occurred = await intervalOf(db, caller.tenantId, days);
      const filter = { status, slot, channel, email, occurred };
      return listCharges(db, caller, filter, { before, most: limit });
    });
    return rows.map(transactionView);
  },
});
