import { findLink, listLinks, noSuchLink } from '../../domain/payments/payment-link/find.ts';
import { paymentLinkView } from '../../domain/payments/payment-link/row.ts';
import type { LinkStatus } from '../../domain/payments/payment-link/transitions.ts';
import { isId } from '../../domain/shared/ids.ts';
import { listReply, type PageQuery, pageOf } from '../http/cursor.ts';
import type { Route } from '../http/route.ts';
import { linkListQuery, paymentLink, paymentLinkList } from './schemas.ts';

const LIST = 'payment-links';

export const listOfPaymentLinks: Route<never, PageQuery & { status?: LinkStatus }> = {
  method: 'get',
  path: '/payment-links',
  summary: 'List payment links, newest first',
  may: 'read',
  query: linkListQuery,
  answers: { 200: paymentLinkList },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const now = context.clock();
    const rows = await listLinks(context.db, who, {
      status: query.status,
      before: page.before,
      limit: page.limit + 1,
      now,
    });
    return listReply(who, LIST, page, rows, (link) =>
      paymentLinkView(link, context.env.publicUrl, now),
    );
  },
};

export const readPaymentLink: Route = {
  method: 'get',
  path: '/payment-links/:id',
  summary: 'Read a payment link',
  may: 'read',
  answers: { 200: paymentLink },
  async handle({ context, caller, params }) {
    const link = await findLink(context.db, await caller(), linkIdOf(params));
    if (!link) throw noSuchLink();
    return { status: 200, body: paymentLinkView(link, context.env.publicUrl, context.clock()) };
  },
};

/** The id in the path. Throws `not_found` when it cannot be one. */
export function linkIdOf({ id = '' }: Record<string, string>): string {
  if (!isId('lnk', id)) throw noSuchLink();
  return id;
}
