import { requireLink } from '../../domain/payments/payment-link/find.ts';
import { paymentLinkView } from '../../domain/payments/payment-link/row.ts';
import { readRoute } from '../http/route.ts';
import { paymentLink } from './schemas.ts';

export const getPaymentLink = readRoute({
  path: '/payment-links/:id',
  operationId: 'getPaymentLink',
  summary: 'Read a payment link',
  credential: 'read',
  answer: paymentLink,
  async read({ db, env, clock }, caller, id) {
    return paymentLinkView(await requireLink(db, caller, id), env.publicUrl, clock());
  },
});
