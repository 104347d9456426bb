import { intervalOf } from '../../domain/accounts/tenant/days.ts';
import { entryView, listSourcedEntries } from '../../domain/payments/posting/list-entries.ts';
import { listRoute } from '../http/cursor.ts';
import { daysOf } from '../http/days.ts';
import { balanceTransactions, balanceTransactionsQuery } from './schemas.ts';

export const listBalanceTransactions = listRoute({
  path: '/balance-transactions',
  operationId: 'listBalanceTransactions',
  summary:
    'List balance transactions, newest first; ' +
    "from and to are days of the business's time zone, on which it was recorded",
  credential: 'read',
  query: balanceTransactionsQuery,
  answer: balanceTransactions,
  async list({ context, query }, caller, page) {
    const { type, provider: slot, source } = query;
    const days = daysOf(query);
    const entries = await context.read(async (db) => {
      const posted = await intervalOf(db, caller.tenantId, days);
      const wanted = { account: 'at_provider', type, slot, source, posted, ...page } as const;
      return listSourcedEntries(db, caller, wanted);
    });
    return entries.map(entryView);
  },
});
