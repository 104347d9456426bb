import { disableLink } from '../../domain/payments/payment-link/disable-link.ts';
import { noSuchLink } from '../../domain/payments/payment-link/find.ts';
import { paymentLinkView } from '../../domain/payments/payment-link/row.ts';
import { changeInTx } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { paymentLink } from './schemas.ts';

export const disablePaymentLink = route({
  method: 'post',
  path: '/payment-links/:id/disable',
  operationId: 'disablePaymentLink',
  summary:
    'Disable a payment link: nobody can begin to pay it any more. ' +
    'A payment that was begun before still makes it `paid`',
  credential: 'collect',
  answers: { 200: paymentLink },
  refusals: ['invalid_state'],
  async handle({ context, caller, params }) {
    const who = await caller();
    return changeInTx(context, async (tx) => {
      const link = await disableLink(tx, who, pathId(params, 'lnk', noSuchLink));
      return { status: 200, body: paymentLinkView(link, context.env.publicUrl, tx.now) };
    });
  },
});
