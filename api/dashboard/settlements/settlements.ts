import { settlementStatuses } from '../../../domain/settlements/entities/settlement.ts';
import { slots } from '../../../domain/shared/slot.ts';
import { listDiscrepancies } from '../../discrepancies/list-discrepancies.ts';
import { getSettlement } from '../../settlements/get-settlement.ts';
import { listSettlementTransactions } from '../../settlements/list-settlement-transactions.ts';
import { listSettlements } from '../../settlements/list-settlements.ts';
import { filledFields, nextPage } from '../filters.ts';
import type { View } from '../request.ts';

const filters = ['status', 'provider', 'from', 'to'] as const;

/** Payouts: what is expected, what landed. */
export const settlementsView: View = {
  path: '/settlements',
  title: 'Settlements',
  template: 'settlements/settlements',
  section: 'settlements',
  permission: 'read',
  async load({ call, query }) {
    const filter = filledFields(query, filters);
    const page = await call(listSettlements, {
      query: filledFields(query, [...filters, 'cursor']),
    });
    return {
      settlements: page.data,
      filter,
      choices: { statuses: settlementStatuses, slots },
      nextHref: nextPage('/settlements', filter, page.next_cursor),
    };
  },
};

/**
 * One payout: how its sum is made, what is missing, and its transactions. What is missing is under
 * investigation until a person closes its discrepancies with the reason: nothing explains itself.
 */
export const settlementView: View = {
  path: '/settlements/:id',
  title: 'Settlement',
  template: 'settlements/settlement',
  section: 'settlements',
  permission: 'read',
  async load({ call, params: { id = '' }, query }) {
    const [settlement, page, discrepancies, closed] = await Promise.all([
      call(getSettlement, { params: { id } }),
      call(listSettlementTransactions, {
        params: { id },
        query: filledFields(query, ['cursor']),
      }),
      call(listDiscrepancies, { query: { settlement: id, limit: '100' } }),
      call(listDiscrepancies, { query: { settlement: id, status: 'closed', limit: '100' } }),
    ]);
    return {
      settlement,
      transactions: page.data,
      discrepancies: discrepancies.data,
      explainedKobo: closed.data.reduce(
        (sum: number, one: { difference_kobo: number }) => sum + one.difference_kobo,
        0,
      ),
      nextHref: nextPage(`/settlements/${id}`, {}, page.next_cursor),
    };
  },
};
