import { actorNames } from '../../../domain/accounts/actor-names.ts';
import {
  discrepancyKinds,
  discrepancyStatuses,
} from '../../../domain/settlements/entities/discrepancy.ts';
import { closeDiscrepancy } from '../../discrepancies/close-discrepancy.ts';
import { getDiscrepancy } from '../../discrepancies/get-discrepancy.ts';
import { listDiscrepancies } from '../../discrepancies/list-discrepancies.ts';
import { calling } from '../forms.ts';
import { csvHref, listed } from '../lists.ts';
import { view } from '../request.ts';

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
      choices: { kinds: discrepancyKinds, statuses: discrepancyStatuses },
    };
  },
});

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
      submit: calling(closeDiscrepancy, 'discrepancy_closed', ({ reason }) => ({ reason })),
    },
  ],
});
