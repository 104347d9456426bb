import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { findRefundRules } from '../../../domain/accounts/tenant/refund-rules.ts';
import { decidedBefore } from '../../../domain/payments/commands/approve-or-reject-refund.ts';
import {
  decideApproval,
  firstApproverOf,
  refusalOf,
} from '../../../domain/payments/refund/decide-approval.ts';
import { totalOfRefunds } from '../../../domain/payments/refund/find.ts';
import {
  describeRequests,
  peopleOf,
  type RefundRequest,
} from '../../../domain/payments/refund/requests.ts';
import { shownRefundStatuses } from '../../../domain/payments/refund/row.ts';
import { providerNamed } from '../../../domain/providers/registry.ts';
import { formatNaira } from '../../../domain/shared/money.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { filledIn } from '../../http/route.ts';
import { approveRefund } from '../../refunds/approve-refund.ts';
import { getRefund } from '../../refunds/get-refund.ts';
import { listRefunds, refundsOf } from '../../refunds/list-refunds.ts';
import { rejectRefund } from '../../refunds/reject-refund.ts';
import { refundsQuery } from '../../refunds/schemas.ts';
import { sentence } from '../format.ts';
import { calling } from '../forms.ts';
import { csvHref, type Filter, listed, queryReader } from '../lists.ts';
import { type DashboardRequest, view } from '../request.ts';

export const refundFilters = ['status', 'reference'];

const DECIDED = '/refunds?decided=:id';

export const refundsView = view('refunds', {
  async load(request) {
    const { call, query } = request;
    const { rows, filter, nextHref, previousHref } = await listed(request, listRefunds, {
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
      total: await totalOf(request, filter),
      nextHref,
      previousHref,
    };
  },
  forms: [
    {
      path: '/refunds/:id/approve',
      permission: 'decide refunds',
      asksForCode: true,
      async ask(request) {
        const { refund, facts } = await askedFor(request);
        const { approval, refusal, sending } = refund.request;
        if (refusal) throw refusal;
        const consequence =
          approval === 'first of two'
            ? 'Nothing is sent before a second Owner approves it, too.'
            : `${sending} A refund that was sent cannot be called back.`;
        return { title: 'Approve this refund?', facts, consequence };
      },
      async submit({ call, params }) {
        const { status } = await call(approveRefund, { params });
        const notice = status === 'requested' ? 'refund_first_approved' : 'refund_approved';
        return { notice, to: filledIn(DECIDED, params) };
      },
    },
    {
      path: '/refunds/:id/reject',
      permission: 'decide refunds',
      async ask(request) {
        const { facts } = await askedFor(request);
        return {
          title: 'Reject this refund?',
          facts,
          consequence:
            'Nothing is sent. A rejected refund is approved no more: it is requested anew.',
          fields: [
            { name: 'reason', label: 'Reason for rejecting', required: true, maxlength: 500 },
          ],
        };
      },
      submit: calling(rejectRefund, 'refund_rejected', ({ reason }) => ({ reason }), DECIDED),
    },
  ],
});

const readQuery = queryReader(refundsQuery);

function totalOf({ context, session }: DashboardRequest, { status, ...others }: Filter) {
  const query = readQuery(
    status === undefined || status === 'all' ? others : { status, ...others },
  );
  return context.read((db) => totalOfRefunds(db, session, refundsOf(query)));
}

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

// biome-ignore lint/suspicious/noExplicitAny: as the API shows it.
type ShownRefund = any;

/** What a decision is about. Throws where it was made. */
async function askedFor(request: DashboardRequest) {
  const found = await request.call(getRefund, { params: request.params });
  if (found.status !== 'requested') throw decidedBefore(found.status);
  const { refunds, nameOf } = await withRequests(request, [found]);
  const [refund] = refunds;
  const facts = {
    Amount: formatNaira(refund.amount_kobo),
    'Goes back to': refund.request.email,
    'For the payment': refund.reference,
    'Asked for by': nameOf(refund.request.requested_by),
    ...(refund.request.first && { 'Approved by': nameOf(refund.request.first) }),
    Reason: refund.reason,
  };
  return { refund, facts };
}

async function withRequests(
  { context, session }: DashboardRequest,
  refunds: readonly ShownRefund[],
) {
  const requests = await describeRequests(context.db, session, [...refunds]);
  const rules = await findRefundRules(context.db, session.tenantId);
  return {
    refunds: refunds.map((refund) => {
      const asked = requests.get(refund.id)!;
      const request = { ...asked, amount_kobo: refund.amount_kobo };
      const approval = decideApproval(rules, request, session.memberId);
      const first = firstApproverOf(rules, request);
      const obstacle = obstacleAtProvider(asked);
      const refusal = obstacle
        ? new Problem('invalid_state', obstacle)
        : refusalOf(approval, rules, request);
      const sending = obstacle ? '' : sendingOf(asked);
      return { ...refund, request: { ...asked, sending, approval, first, refusal } };
    }),
    nameOf: await actorNames(context.db, session.tenantId, peopleOf(requests)),
  };
}

function obstacleAtProvider({ adapter, channel }: RefundRequest): string | null {
  return adapter && channel && providerNamed(adapter).refundObstacle(channel);
}

function sendingOf({ adapter, is_held: isHeld }: RefundRequest): string {
  if (adapter === null) return '';
  const name = sentence(adapter);
  if (isHeld) return `The connection to ${name} is disabled: nothing is sent until it is enabled.`;
  return providerNamed(adapter).settlementTerms.deductsRefunds
    ? `${name} sends all or part of a payment back, and deducts it from your next payouts.`
    : `${name} sends all or part of a payment back from your wallet there, if that holds enough.`;
}
