import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { acceptanceOf } from '../../../domain/payments/commands/respond-to-dispute.ts';
import {
  findDispute,
  listDisputes,
  totalOfDisputes,
} from '../../../domain/payments/dispute/list.ts';
import { obstacleToResponse } from '../../../domain/payments/dispute-response/decide.ts';
import {
  contentOf,
  findLiveResponse,
  listResponses,
} from '../../../domain/payments/dispute-response/find.ts';
import { knownEmail } from '../../../domain/payments/entities/charge.ts';
import { disputeStatuses } from '../../../domain/payments/entities/dispute.ts';
import { approvalOfReturn } from '../../../domain/payments/refund/approve-return.ts';
import { providerNamed } from '../../../domain/providers/registry.ts';
import { referenceOf } from '../../../domain/shared/ids.ts';
import { formatNaira } from '../../../domain/shared/money.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { acceptDispute } from '../../disputes/accept-dispute.ts';
import { MAX_FILE_BYTES } from '../../disputes/schemas.ts';
import { sendDisputeEvidence } from '../../disputes/send-dispute-evidence.ts';
import { sentence } from '../format.ts';
import { filled } from '../forms.ts';
import { csvHref, listedRows } from '../lists.ts';
import { type DashboardRequest, view } from '../request.ts';

export const statusIn = ({ status }: DashboardRequest['query']) =>
  disputeStatuses.find((each) => each === status);

export const disputesView = view('disputes', {
  async load(request) {
    const { context, session, query } = request;
    const status = statusIn(query);
    const filter = status ? { status } : {};
    const { rows, ...pages } = await listedRows(
      request,
      'disputes',
      (page) => context.read((db) => listDisputes(db, session, { ...page, status })),
      filter,
    );
    const disputes = rows.map((row) => ({ ...row, reference: referenceOf(row.number) }));
    const total = await context.read((db) => totalOfDisputes(db, session, status));
    return { disputes, status, total, ...pages, csvHref: csvHref(request, filter) };
  },
});

export const disputeView = view('disputes', {
  path: '/disputes/:id',
  title: 'Dispute',
  template: 'disputes/dispute',
  async load(request) {
    const { context, session, now } = request;
    const dispute = await findDispute(context.db, session, request.params.id!);
    const newest = { before: '~', limit: SHOWN };
    const responses = await listResponses(context.db, session, dispute.id, newest);
    const live = responses.find(({ status }) => status !== 'refused');
    return {
      dispute,
      reference: referenceOf(dispute.number),
      knownEmail: knownEmail(dispute.email),
      advice: providerNamed(dispute.adapter).disputeAdvice,
      isLate: dispute.respond_by !== null && dispute.respond_by <= now,
      takesAnswer: obstacleToResponse(dispute, live, now) === null,
      isMoving: live !== undefined && ['waiting', 'sending'].includes(live.status),
      approval: await approvalOfReturn(context.db, session, acceptanceOf(dispute, live)),
      responses: responses.map((row) => ({ ...row, said: contentOf(context.vault, row) })),
      nameOf: await actorNames(
        context.db,
        session.tenantId,
        responses.map(({ requested_by: by }) => by),
      ),
    };
  },
  forms: [
    {
      path: '/disputes/:id/evidence',
      permission: 'answer disputes',
      file: 'file',
      maxFileBytes: MAX_FILE_BYTES,
      async submit({ call, params, values, file }) {
        const body = filled(values, ...evidenceFields);
        if (file) Object.assign(body, { file: file.toString('base64') });
        await call(sendDisputeEvidence, { params, body });
        return { notice: 'dispute_answered' };
      },
    },
    {
      path: '/disputes/:id/accept',
      permission: 'accept disputes',
      asksForCode: true,
      async ask({ context, session, params, now }) {
        const dispute = await findDispute(context.db, session, params.id!);
        const live = await findLiveResponse(context.db, dispute.id);
        const obstacle = obstacleToResponse(dispute, live, now);
        if (obstacle !== null) throw new Problem('invalid_state', obstacle);
        const asked = acceptanceOf(dispute, live);
        const { approval, refusal } = await approvalOfReturn(context.db, session, asked);
        if (refusal) throw refusal;
        return {
          title: 'Accept this dispute?',
          facts: {
            Amount: formatNaira(dispute.amount_kobo),
            'Goes back to': dispute.email,
            'For the payment': referenceOf(dispute.number),
            ...(dispute.reason === null ? {} : { Reason: dispute.reason }),
          },
          consequence:
            approval === 'first of two'
              ? 'Nothing is sent before a second Owner accepts it, too.'
              : `${sentence(dispute.adapter)} gives the money back and takes it from your next ` +
                'payouts. This cannot be taken back.',
          fields: [
            {
              name: 'note',
              label: 'Note',
              hint: 'Why, for the provider and for those who ask later.',
              required: true,
              maxlength: 500,
            },
          ],
        };
      },
      async submit({ call, params, values }) {
        const { status } = await call(acceptDispute, { params, body: filled(values, 'note') });
        return {
          notice: status === 'requested' ? 'dispute_first_accepted' : 'dispute_answered',
        };
      },
    },
  ],
});

/** Each but the last was refused. */
const SHOWN = 20;

const evidenceFields = [
  ...['details', 'customer_name', 'customer_email', 'customer_phone'],
  ...['delivery_address', 'delivery_date'],
];
