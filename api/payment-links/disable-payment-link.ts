import { disableLink } from '../../domain/payments/payment-link/disable.ts';
import { paymentLinkView } from '../../domain/payments/payment-link/row.ts';
import { changeInTx } from '../http/idempotency.ts';
import type { Route } from '../http/route.ts';
import { linkIdOf } from './read-payment-links.ts';
import { paymentLink } from './schemas.ts';

export const disablePaymentLink: Route = {
  method: 'post',
  path: '/payment-links/:id/disable',
  summary:
    'Disable a payment link: nobody can begin to pay it any more. Money of somebody who began before still makes it paid',
  may: 'collect',
  answers: { 200: paymentLink },
  refusals: ['invalid_state'],
  async handle({ context, caller, params }) {
    const who = await caller();
    return changeInTx(context, async (tx) => {
      const link = await disableLink(tx, who, linkIdOf(params));
      return { status: 200, body: paymentLinkView(link, context.env.publicUrl, tx.now) };
    });
  },
};
