import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { describeRequests } from '../../../domain/payments/refund/requests.ts';
import { shownRefundStatuses } from '../../../domain/payments/refund/row.ts';
import { approveRefund } from '../../refunds/approve-refund.ts';
import { listRefunds } from '../../refunds/list-refunds.ts';
import { rejectRefund } from '../../refunds/reject-refund.ts';
import { confirmSecondFactor, needsCode } from '../confirm.ts';
import { csvHref, filledFields, nextPage } from '../filters.ts';
import type { DashboardRequest, Form, View } from '../request.ts';

/** What waits for an Owner, and what became of the rest. */
export const refundsView: View = {
  path: '/refunds',
  title: 'Refunds',
  template: 'refunds/refunds',
  section: 'refunds',
  permission: 'read',
  async load({ context, session, mode, call, query, now }) {
    const filter = { status: 'requested', ...filledFields(query, ['status', 'reference']) };
    const wanted = filter.status === 'all' ? { ...filter, status: '' } : filter;
    const page = await call(listRefunds, {
      query: filledFields({ ...wanted, cursor: query.cursor ?? '' }, [
        'status',
        'reference',
        'cursor',
      ]),
    });
    const requests = await describeRequests(
      context.db,
      { tenantId: session.tenantId, mode },
      page.data,
    );
    const ids = [...requests.values()].flatMap(({ requested_by, decided_by }) =>
      decided_by ? [requested_by, decided_by] : [requested_by],
    );
    const nameOf = await actorNames(context.db, session.tenantId, ids);
    return {
      refunds: page.data.map((refund: { id: string }) => ({
        ...refund,
        request: requests.get(refund.id),
      })),
      nameOf,
      filter,
      csvHref: csvHref('/refunds', wanted),
      statuses: shownRefundStatuses,
      needsCode: needsCode(session, now),
      nextHref: nextPage('/refunds', filter, page.next_cursor),
    };
  },
};

export const approveRefundForm: Form = {
  path: '/refunds/:id/approve',
  view: refundsView,
  permission: 'decide refunds',
  async submit(request) {
    await confirmSecondFactor(request);
    await request.call(approveRefund, { params: idOf(request) });
    return { to: '/refunds', notice: 'refund_approved' };
  },
};

export const rejectRefundForm: Form = {
  path: '/refunds/:id/reject',
  view: refundsView,
  permission: 'decide refunds',
  async submit(request) {
    const { reason } = request.values;
    await request.call(rejectRefund, { params: idOf(request), body: { reason } });
    return { to: '/refunds', notice: 'refund_rejected' };
  },
};

function idOf({ params }: DashboardRequest): { id: string } {
  return { id: params.id ?? '' };
}
