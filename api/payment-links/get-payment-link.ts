import { findLink, noSuchLink } from '../../domain/payments/payment-link/find.ts';
import { paymentLinkView } from '../../domain/payments/payment-link/row.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { paymentLink } from './schemas.ts';

export const getPaymentLink = route({
  method: 'get',
  path: '/payment-links/:id',
  operationId: 'getPaymentLink',
  summary: 'Read a payment link',
  credential: 'read',
  answers: { 200: paymentLink },
  async handle({ context, caller, params }) {
    const link = await findLink(context.db, await caller(), pathId(params, 'lnk', noSuchLink));
    if (!link) throw noSuchLink();
    return { status: 200, body: paymentLinkView(link, context.env.publicUrl, context.clock()) };
  },
});
