import { chargeStatuses } from '../../../domain/payments/entities/charge.ts';
import { channels } from '../../../domain/providers/port/payment.ts';
import { listTransactions } from '../../transactions/list-transactions.ts';
import { csvHref, listed } from '../lists.ts';
import { view } from '../request.ts';

export const transactionFilters = ['status', 'provider', 'channel', 'from', 'to', 'customer'];

export const transactionsView = view('transactions', {
  async load(request) {
    const { rows, ...list } = await listed(request, listTransactions, {
      filters: transactionFilters,
    });
    return {
      transactions: rows,
      ...list,
      csvHref: csvHref(request, list.filter),
      choices: { statuses: chargeStatuses, channels },
    };
  },
});
