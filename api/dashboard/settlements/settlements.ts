import { settlementStatuses } from '../../../domain/settlements/entities/settlement.ts';
import { listDiscrepancies } from '../../discrepancies/list-discrepancies.ts';
import { getSettlement } from '../../settlements/get-settlement.ts';
import { listSettlementTransactions } from '../../settlements/list-settlement-transactions.ts';
import { listSettlements } from '../../settlements/list-settlements.ts';
import { movedBy } from '../balances/moved.ts';
import { csvHref, listed } from '../lists.ts';
import { view } from '../request.ts';

export const settlementFilters = ['status', 'provider', 'from', 'to'];

export const settlementsView = view('settlements', {
  async load(request) {
    const { rows, ...list } = await listed(request, listSettlements, {
      filters: settlementFilters,
    });
    return {
      settlements: rows,
      ...list,
      csvHref: csvHref(request, list.filter),
      choices: { statuses: settlementStatuses },
    };
  },
});

/** Missing money stays under investigation until a person closes its discrepancies. */
export const settlementView = view('settlements', {
  path: '/settlements/:id',
  title: 'Settlement',
  template: 'settlements/settlement',
  async load(request) {
    const { call, params } = request;
    const { id: settlement = '' } = params;
    const [found, transactions, discrepancies, closed, moved] = await Promise.all([
      call(getSettlement, { params }),
      listed(request, listSettlementTransactions),
      call(listDiscrepancies, { query: { settlement, limit: '100' } }),
      call(listDiscrepancies, { query: { settlement, status: 'closed', limit: '100' } }),
      movedBy(request, [settlement]),
    ]);
    return {
      settlement: found,
      transactions: transactions.rows,
      nextHref: transactions.nextHref,
      moved,
      discrepancies: discrepancies.data,
      explainedKobo: closed.data.reduce(
        (sum: number, one: { difference_kobo: number }) => sum + one.difference_kobo,
        0,
      ),
    };
  },
});
