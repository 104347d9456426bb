import { settlementStatuses } from '../../../domain/settlements/entities/settlement.ts';
import {
  listSettlementsByDay,
  type SettlementFilter,
  totalOfSettlements,
} from '../../../domain/settlements/settlement/find.ts';
import { linesOfCharges } from '../../../domain/settlements/settlement/lines-of-charges.ts';
import { settlementView as shownSettlement } from '../../../domain/settlements/settlement/row.ts';
import { listDiscrepancies } from '../../discrepancies/list-discrepancies.ts';
import { daysOf } from '../../http/days.ts';
import { getSettlement } from '../../settlements/get-settlement.ts';
import { listSettlementTransactions } from '../../settlements/list-settlement-transactions.ts';
import { settlementsQuery } from '../../settlements/schemas.ts';
import { movedBy } from '../balances/moved.ts';
import {
  csvHref,
  type Filter,
  filledFields,
  listed,
  listedRows,
  partsOf,
  queryReader,
  withoutWrong,
} from '../lists.ts';
import { view } from '../request.ts';

export const settlementFilters = ['status', 'provider', 'from', 'to'];

export const settlementsView = view('settlements', {
  async load(request) {
    const { context, session } = request;
    const given = filledFields(request.query, settlementFilters);
    const { read, ...list } = await withoutWrong(given, (filter) => {
      const wanted = wantedBy(filter);
      return context.read(async (db) => ({
        total: await totalOfSettlements(db, session, wanted),
        page: await listedRows(
          request,
          'settlements by day',
          (page) =>
            listSettlementsByDay(db, session, { ...wanted, ...page, timeZone: session.timeZone }),
          filter,
          ({ position }) => position,
        ),
      }));
    });
    const { rows, ...pages } = read.page;
    return {
      settlements: rows.map(shownSettlement),
      ...list,
      ...pages,
      filterParts: partsOf(settlementFilters),
      total: read.total,
      csvHref: csvHref(request, list.filter),
      choices: { statuses: settlementStatuses },
    };
  },
});

const readQuery = queryReader(settlementsQuery);

/** Throws `validation_failed`. */
function wantedBy(filter: Filter): SettlementFilter {
  const query = readQuery(filter);
  const { status, provider: slot } = query;
  return { status, slot, expected: daysOf(query) };
}

/** Missing money stays under investigation until a person closes its discrepancies. */
export const settlementView = view('settlements', {
  path: '/settlements/:id',
  title: 'Settlement',
  template: 'settlements/settlement',
  async load(request) {
    const { call, context, params, session } = request;
    const { id: settlement = '' } = params;
    const [found, transactions, discrepancies, closed, moved] = await Promise.all([
      call(getSettlement, { params }),
      listed(request, listSettlementTransactions),
      call(listDiscrepancies, { query: { settlement, limit: '100' } }),
      call(listDiscrepancies, { query: { settlement, status: 'closed', limit: '100' } }),
      movedBy(request, [settlement]),
    ]);
    const ids = transactions.rows.map(({ id }: { id: string }) => id);
    return {
      settlement: found,
      lines: await context.read((db) => linesOfCharges(db, session, settlement, ids)),
      transactions: transactions.rows,
      nextHref: transactions.nextHref,
      previousHref: transactions.previousHref,
      moved,
      discrepancies: discrepancies.data,
      explainedKobo: closed.data.reduce(
        (sum: number, one: { difference_kobo: number }) => sum + one.difference_kobo,
        0,
      ),
    };
  },
});
