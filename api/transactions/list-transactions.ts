import { intervalOf } from '../../domain/accounts/tenant/days.ts';
import { listCharges } from '../../domain/payments/charge/list.ts';
import { transactionView } from '../../domain/payments/charge/row.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import { daysOf } from '../http/days.ts';
import { route } from '../http/route.ts';
import { transactions, transactionsQuery } from './schemas.ts';

const LIST = 'transactions';

export const listTransactions = route({
  method: 'get',
  path: '/transactions',
  operationId: 'listTransactions',
  summary:
    'List transactions, newest first; ' +
    "from and to are days of the business's time zone, on which it was paid or, until then, created",
  credential: 'read',
  query: transactionsQuery,
  answers: { 200: transactions },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const rows = await context.read(async (db) => {
      const filter = {
        status: query.status,
        slot: query.provider,
        channel: query.channel,
        email: query.customer,
        occurred: await intervalOf(db, who.tenantId, daysOf(query)),
      };
      return listCharges(db, who, filter, { before: page.before, most: page.limit + 1 });
    });
    return listReply(who, LIST, page, rows, transactionView);
  },
});
