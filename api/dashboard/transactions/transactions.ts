import { totalOfCharges } from '../../../domain/payments/charge/list.ts';
import { chargeStatuses } from '../../../domain/payments/entities/charge.ts';
import { channels } from '../../../domain/providers/port/payment.ts';
import { MOST_COUNTED } from '../../../domain/shared/total.ts';
import { chargeFilterOf, listTransactions } from '../../transactions/list-transactions.ts';
import { transactionsQuery } from '../../transactions/schemas.ts';
import { koboOf } from '../amounts.ts';
import { addressOf, csvHref, type Filter, listed, queryReader } from '../lists.ts';
import { type DashboardRequest, view } from '../request.ts';

const moreFilters = [
  { id: 'merchant_reference', label: 'Your reference' },
  { id: 'provider_reference', label: 'Provider’s reference' },
  { id: 'settlement_id', label: 'Settlement' },
  { id: 'payment_link', label: 'Payment link' },
];

export const transactionFilters = [
  ...['status', 'provider', 'channel', 'from', 'to', 'amount', 'customer'],
  ...moreFilters.map(({ id }) => id),
];

/** Counting so many takes under a second: a page waits for it only where somebody wants it. */
const MOST_COUNTED_IF_ASKED = 100_000;

export const transactionsView = view('transactions', {
  async load(request) {
    const { rows, ...list } = await listed(request, listTransactions, {
      filters: transactionFilters,
      queryOf: transactionsQueryOf,
    });
    const most = request.query.count === 'all' ? MOST_COUNTED_IF_ASKED : MOST_COUNTED;
    return {
      transactions: rows,
      ...list,
      total: await totalOf(request, list.filter, most),
      countAllHref:
        most === MOST_COUNTED && addressOf(request.path, { ...list.filter, count: 'all' }),
      csvHref: csvHref(request, list.filter),
      choices: { statuses: chargeStatuses, channels },
      moreFilters,
    };
  },
});

/** The API's filters, of which the form asks for the amount in naira. */
export function transactionsQueryOf({ amount, ...query }: Filter): Filter {
  if (amount === undefined) return query;
  return { ...query, amount_kobo: String(koboOf('amount', amount)) };
}

const readQuery = queryReader(transactionsQuery);

function totalOf({ context, session }: DashboardRequest, filter: Filter, most: number) {
  const query = readQuery(transactionsQueryOf(filter));
  return context.read(async (db) =>
    totalOfCharges(db, session, await chargeFilterOf(db, session, query), most),
  );
}
