import { listLinks } from '../../domain/payments/payment-link/find.ts';
import { paymentLinkView } from '../../domain/payments/payment-link/row.ts';
import { listRoute } from '../http/cursor.ts';
import { paymentLinks, paymentLinksQuery } from './schemas.ts';

export const listPaymentLinks = listRoute({
  path: '/payment-links',
  operationId: 'listPaymentLinks',
  summary: 'List payment links, newest first',
  credential: 'read',
  query: paymentLinksQuery,
  answer: paymentLinks,
  async list({ context: { clock, env, read }, query }, caller, page) {
    const now = clock();
    const wanted = { ...page, status: query.status, now };
    const links = await read((db) => listLinks(db, caller, wanted));
    return links.map((link) => paymentLinkView(link, env.publicUrl, now));
  },
});
