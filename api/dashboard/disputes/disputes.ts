import {
  findDispute,
  listDisputes,
  totalOfDisputes,
} from '../../../domain/payments/dispute/list.ts';
import { disputeStatuses } from '../../../domain/payments/entities/dispute.ts';
import { providerNamed } from '../../../domain/providers/registry.ts';
import { referenceOf } from '../../../domain/shared/ids.ts';
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
  async load({ context, session, params, now }) {
    const dispute = await context.read((db) => findDispute(db, session, params.id!));
    return {
      dispute,
      reference: referenceOf(dispute.number),
      advice: providerNamed(dispute.adapter).disputeAdvice,
      isLate: dispute.respond_by !== null && dispute.respond_by <= now,
    };
  },
});
