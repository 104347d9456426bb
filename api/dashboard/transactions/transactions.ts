import { chargeStatuses } from '../../../domain/payments/entities/charge.ts';
import { channels } from '../../../domain/providers/port/payment.ts';
import { slots } from '../../../domain/shared/slot.ts';
import { listTransactions } from '../../transactions/list-transactions.ts';
import { csvHref, filledFields, nextPage } from '../filters.ts';
import type { View } from '../request.ts';

const filters = ['status', 'provider', 'channel', 'from', 'to', 'customer'] as const;

/** The ledger, with the filters of the API in the address. */
export const transactionsView: View = {
  path: '/transactions',
  title: 'Transactions',
  template: 'transactions/transactions',
  section: 'transactions',
  permission: 'read',
  async load({ call, query }) {
    const filter = filledFields(query, filters);
    const page = await call(listTransactions, {
      query: filledFields(query, [...filters, 'cursor']),
    });
    return {
      transactions: page.data,
      filter,
      csvHref: csvHref('/transactions', filter),
      choices: { statuses: chargeStatuses, slots, channels },
      nextHref: nextPage('/transactions', filter, page.next_cursor),
    };
  },
};
