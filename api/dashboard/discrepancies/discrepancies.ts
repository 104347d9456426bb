import { actorNames } from '../../../domain/accounts/actor-names.ts';
import {
  discrepancyKinds,
  discrepancyStatuses,
} from '../../../domain/settlements/entities/discrepancy.ts';
import { slots } from '../../../domain/shared/slot.ts';
import { closeDiscrepancy } from '../../discrepancies/close-discrepancy.ts';
import { getDiscrepancy } from '../../discrepancies/get-discrepancy.ts';
import { listDiscrepancies } from '../../discrepancies/list-discrepancies.ts';
import { csvHref, filledFields, nextPage } from '../filters.ts';
import type { Form, View } from '../request.ts';

const filters = ['status', 'kind', 'provider', 'from', 'to', 'settlement'] as const;

/** Differences between our records and the providers'. */
export const discrepanciesView: View = {
  path: '/discrepancies',
  title: 'Discrepancies',
  template: 'discrepancies/discrepancies',
  section: 'discrepancies',
  permission: 'read',
  async load({ call, query }) {
    const filter = filledFields(query, filters);
    const page = await call(listDiscrepancies, {
      query: filledFields(query, [...filters, 'cursor']),
    });
    return {
      discrepancies: page.data,
      filter,
      csvHref: csvHref('/discrepancies', filter),
      choices: { kinds: discrepancyKinds, statuses: discrepancyStatuses, slots },
      nextHref: nextPage('/discrepancies', filter, page.next_cursor),
    };
  },
};

/** One difference: what differs, what to do, and closing it with a reason. */
export const discrepancyView: View = {
  path: '/discrepancies/:id',
  title: 'Discrepancy',
  template: 'discrepancies/discrepancy',
  section: 'discrepancies',
  permission: 'read',
  async load({ call, context, session, params: { id = '' } }) {
    const discrepancy = await call(getDiscrepancy, { params: { id } });
    const closedBy = discrepancy.closed_by ? [discrepancy.closed_by] : [];
    return {
      discrepancy,
      nameOf: await actorNames(context.db, session.tenantId, closedBy),
    };
  },
};

export const closeDiscrepancyForm: Form = {
  path: '/discrepancies/:id/close',
  view: discrepancyView,
  permission: 'close discrepancies',
  async submit({ call, params: { id = '' }, values: { reason } }) {
    await call(closeDiscrepancy, { params: { id }, body: { reason } });
    return { to: `/discrepancies/${id}`, notice: 'discrepancy_closed' };
  },
};
