import { listLinks } from '../../domain/payments/payment-link/find.ts';
import { paymentLinkView } from '../../domain/payments/payment-link/row.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import { route } from '../http/route.ts';
import { paymentLinks, paymentLinksQuery } from './schemas.ts';

const LIST = 'payment-links';

export const listPaymentLinks = route({
  method: 'get',
  path: '/payment-links',
  operationId: 'listPaymentLinks',
  summary: 'List payment links, newest first',
  credential: 'read',
  query: paymentLinksQuery,
  answers: { 200: paymentLinks },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const now = context.clock();
    const wanted = { status: query.status, before: page.before, limit: page.limit + 1, now };
    const rows = await context.read((db) => listLinks(db, who, wanted));
    return listReply(who, LIST, page, rows, (link) =>
      paymentLinkView(link, context.env.publicUrl, now),
    );
  },
});
