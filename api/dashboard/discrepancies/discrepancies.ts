import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { totalOfDiscrepancies } from '../../../domain/settlements/discrepancy/list.ts';
import { closeRefusals, mayClose } from '../../../domain/settlements/discrepancy/transitions.ts';
import {
  discrepancyKinds,
  discrepancyStatuses,
} from '../../../domain/settlements/entities/discrepancy.ts';
import { formatNaira } from '../../../domain/shared/money.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { closeDiscrepancy } from '../../discrepancies/close-discrepancy.ts';
import { getDiscrepancy } from '../../discrepancies/get-discrepancy.ts';
import { listDiscrepancies, wantedBy } from '../../discrepancies/list-discrepancies.ts';
import { discrepanciesQuery } from '../../discrepancies/schemas.ts';
import { calling } from '../forms.ts';
import { csvHref, type Filter, listed, queryReader } from '../lists.ts';
import { type DashboardRequest, view } from '../request.ts';

export const discrepancyFilters = ['status', 'kind', 'provider', 'from', 'to', 'settlement'];

export const discrepanciesView = view('discrepancies', {
  async load(request) {
    const { rows, ...list } = await listed(request, listDiscrepancies, {
      filters: discrepancyFilters,
    });
    return {
      discrepancies: rows,
      ...list,
      csvHref: csvHref(request, list.filter),
      total: await totalOf(request, list.filter),
      choices: { kinds: discrepancyKinds, statuses: discrepancyStatuses },
    };
  },
});

const readQuery = queryReader(discrepanciesQuery);

function totalOf({ context, session }: DashboardRequest, filter: Filter) {
  const query = wantedBy(readQuery(filter));
  return context.read((db) => totalOfDiscrepancies(db, session, query));
}

export const discrepancyView = view('discrepancies', {
  path: '/discrepancies/:id',
  title: 'Discrepancy',
  template: 'discrepancies/discrepancy',
  async load({ call, context, session, params }) {
    const discrepancy = await call(getDiscrepancy, { params });
    const closedBy = discrepancy.closed_by ? [discrepancy.closed_by] : [];
    return { discrepancy, nameOf: await actorNames(context.db, session.tenantId, closedBy) };
  },
  forms: [
    {
      path: '/discrepancies/:id/close',
      permission: 'close discrepancies',
      async ask({ call, params }) {
        const one = await call(getDiscrepancy, { params });
        if (!mayClose(one.status))
          throw new Problem(
            'invalid_state',
            closeRefusals[one.status as keyof typeof closeRefusals],
          );
        return {
          title: 'Close this discrepancy?',
          facts: { Difference: formatNaira(one.difference_kobo), What: one.detail },
          consequence: 'It counts as explained, with your words. It is not opened again.',
          fields: [
            {
              name: 'reason',
              label: 'Why it is accepted as it is',
              required: true,
              maxlength: 500,
            },
          ],
        };
      },
      submit: calling(closeDiscrepancy, 'discrepancy_closed', ({ reason }) => ({ reason })),
    },
  ],
});
