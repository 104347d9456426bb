import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { describeRequests, type RefundRequest } from '../../../domain/payments/refund/requests.ts';
import { shownRefundStatuses } from '../../../domain/payments/refund/row.ts';
import { providerNamed } from '../../../domain/providers/registry.ts';
import { approveRefund } from '../../refunds/approve-refund.ts';
import { getRefund } from '../../refunds/get-refund.ts';
import { listRefunds } from '../../refunds/list-refunds.ts';
import { rejectRefund } from '../../refunds/reject-refund.ts';
import { needsCode } from '../confirm.ts';
import { csvHref, filledFields, nextPage } from '../filters.ts';
import { providerTitle } from '../format.ts';
import type { DashboardRequest, Form, View } from '../request.ts';

/** What waits for an Owner, and what became of the rest. */
export const refundsView: View = {
  path: '/refunds',
  title: 'Refunds',
  template: 'refunds/refunds',
  section: 'refunds',
  permission: 'read',
  async load(request) {
    const { call, query } = request;
    const filter = { status: 'requested', ...filledFields(query, ['status', 'reference']) };
    const wanted = filter.status === 'all' ? { ...filter, status: '' } : filter;
    const page = await call(listRefunds, {
      query: filledFields({ ...wanted, cursor: query.cursor ?? '' }, [
        'status',
        'reference',
        'cursor',
      ]),
    });
    const decided = query.decided && (await call(getRefund, { params: { id: query.decided } }));
    const listed = page.data.filter(({ id }: ShownRefund) => id !== query.decided);
    const { refunds, ...rest } = await withRequests(
      request,
      decided ? [decided, ...listed] : listed,
    );
    return {
      ...rest,
      decided: decided ? refunds.shift() : undefined,
      refunds,
      filter,
      csvHref: csvHref('/refunds', wanted),
      statuses: shownRefundStatuses,
      nextHref: nextPage('/refunds', filter, page.next_cursor),
    };
  },
};

/** One refund. While it is on its way, its card refreshes itself from here. */
export const refundView: View = {
  path: '/refunds/:id',
  title: 'Refund',
  template: 'refunds/refund',
  section: 'refunds',
  permission: 'read',
  async load(request) {
    const { refunds, ...rest } = await withRequests(request, [
      await request.call(getRefund, { params: idOf(request) }),
    ]);
    return { ...rest, refund: refunds[0] };
  },
};

/** A refund as the API answers it. */
interface ShownRefund {
  id: string;
}

/** Refunds with who asked for them and decided about them, and the names of these people. */
async function withRequests(
  { context, session, mode, now }: DashboardRequest,
  refunds: readonly ShownRefund[],
) {
  const reader = { tenantId: session.tenantId, mode };
  const requests = await describeRequests(context.db, reader, [...refunds]);
  const ids = [...requests.values()].flatMap(({ requested_by, decided_by }) =>
    decided_by ? [requested_by, decided_by] : [requested_by],
  );
  return {
    refunds: refunds.map((refund) => {
      const asked = requests.get(refund.id);
      return { ...refund, request: asked && { ...asked, sending: sendingOf(asked) } };
    }),
    nameOf: await actorNames(context.db, session.tenantId, ids),
    needsCode: needsCode(session, now),
  };
}

/** How the provider sends money back, or why nothing is sent now. */
function sendingOf({ adapter, is_held: isHeld }: RefundRequest): string {
  if (adapter === null) return '';
  const name = providerTitle(adapter);
  if (isHeld) return `The connection to ${name} is disabled: nothing is sent until it is enabled.`;
  return providerNamed(adapter).settlementTerms.deductsRefunds
    ? `${name} sends all or part of a payment back, and deducts it from your next payouts.`
    : `${name} sends all or part of a payment back from your wallet there, if that holds enough.`;
}

export const approveRefundForm: Form = {
  path: '/refunds/:id/approve',
  view: refundsView,
  permission: 'decide refunds',
  isConfirmed: true,
  async submit(request) {
    await request.call(approveRefund, { params: idOf(request) });
    return { to: decidedPath(request), notice: 'refund_approved' };
  },
};

export const rejectRefundForm: Form = {
  path: '/refunds/:id/reject',
  view: refundsView,
  permission: 'decide refunds',
  async submit(request) {
    const { reason } = request.values;
    await request.call(rejectRefund, { params: idOf(request), body: { reason } });
    return { to: decidedPath(request), notice: 'refund_rejected' };
  },
};

/** The queue again, with what became of the refund above it. */
function decidedPath(request: DashboardRequest): string {
  return `/refunds?decided=${idOf(request).id}`;
}

function idOf({ params }: DashboardRequest): { id: string } {
  return { id: params.id ?? '' };
}
