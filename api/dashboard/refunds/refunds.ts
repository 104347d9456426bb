import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { describeRequests, type RefundRequest } from '../../../domain/payments/refund/requests.ts';
import { shownRefundStatuses } from '../../../domain/payments/refund/row.ts';
import { providerNamed } from '../../../domain/providers/registry.ts';
import { approveRefund } from '../../refunds/approve-refund.ts';
import { getRefund } from '../../refunds/get-refund.ts';
import { listRefunds } from '../../refunds/list-refunds.ts';
import { rejectRefund } from '../../refunds/reject-refund.ts';
import { needsCode } from '../confirm.ts';
import { sentence } from '../format.ts';
import { calling } from '../forms.ts';
import { csvHref, listed } from '../lists.ts';
import { type DashboardRequest, view } from '../request.ts';

export const refundFilters = ['status', 'reference'];

const DECIDED = '/refunds?decided=:id';

export const refundsView = view('refunds', {
  async load(request) {
    const { call, query } = request;
    const { rows, filter, nextHref } = await listed(request, listRefunds, {
      filters: refundFilters,
      defaults: { status: 'requested' },
      none: 'all',
    });
    const decided = query.decided && (await call(getRefund, { params: { id: query.decided } }));
    const others = rows.filter(({ id }: ShownRefund) => id !== query.decided);
    const { refunds, ...rest } = await withRequests(
      request,
      decided ? [decided, ...others] : others,
    );
    return {
      ...rest,
      decided: decided ? refunds.shift() : undefined,
      refunds,
      filter,
      csvHref: csvHref(request, filter.status === 'all' ? { ...filter, status: '' } : filter),
      statuses: shownRefundStatuses,
      nextHref,
    };
  },
  forms: [
    {
      path: '/refunds/:id/approve',
      permission: 'decide refunds',
      isConfirmed: true,
      submit: calling(approveRefund, 'refund_approved', undefined, DECIDED),
    },
    {
      path: '/refunds/:id/reject',
      permission: 'decide refunds',
      submit: calling(rejectRefund, 'refund_rejected', ({ reason }) => ({ reason }), DECIDED),
    },
  ],
});

/** While the refund is on its way, its card refreshes itself from here. */
export const refundView = view('refunds', {
  path: '/refunds/:id',
  title: 'Refund',
  template: 'refunds/refund',
  async load(request) {
    const found = await request.call(getRefund, { params: request.params });
    const { refunds, ...rest } = await withRequests(request, [found]);
    return { ...rest, refund: refunds[0] };
  },
});

type ShownRefund = { id: string };

async function withRequests(
  { context, session, now }: DashboardRequest,
  refunds: readonly ShownRefund[],
) {
  const requests = await describeRequests(context.db, session, [...refunds]);
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

function sendingOf({ adapter, is_held: isHeld }: RefundRequest): string {
  if (adapter === null) return '';
  const name = sentence(adapter);
  if (isHeld) return `The connection to ${name} is disabled: nothing is sent until it is enabled.`;
  return providerNamed(adapter).settlementTerms.deductsRefunds
    ? `${name} sends all or part of a payment back, and deducts it from your next payouts.`
    : `${name} sends all or part of a payment back from your wallet there, if that holds enough.`;
}
