import { disableLink } from '../../domain/payments/payment-link/disable-link.ts';
import { paymentLinkView } from '../../domain/payments/payment-link/row.ts';
import { changeRoute } from '../http/idempotency.ts';
import { paymentLink } from './schemas.ts';

export const disablePaymentLink = changeRoute({
  path: '/payment-links/:id/disable',
  operationId: 'disablePaymentLink',
  summary:
    'Disable a payment link: nobody can begin to pay it any more. ' +
    'A payment that was begun before still makes it `paid`',
  credential: 'manage payment links',
  answers: { 200: paymentLink },
  refusals: ['invalid_state'],
  change: async (tx, caller, { id, context: { env } }) =>
    paymentLinkView(await disableLink(tx, caller, id), env.publicUrl, tx.now),
});
