import { disableLink } from '../../domain/payment-link/disable.ts';
import { paymentLinkView } from '../../domain/payment-link/row.ts';
import { inPhase } from '../once.ts';
import type { Route } from '../route.ts';
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
    return inPhase(context, async (phase) => {
      const link = await disableLink(phase, who, linkIdOf(params));
      return { status: 200, body: paymentLinkView(link, context.env.publicUrl, phase.now) };
    });
  },
};
