import { decideOnReview } from '../../domain/payments/review/decide.ts';
import { reviewView } from '../../domain/payments/review/row.ts';
import type { Decision } from '../../domain/payments/review/transitions.ts';
import { changeInTx } from '../http/idempotency.ts';
import type { Route } from '../http/route.ts';
import { reviewId } from './read-reviews.ts';
import { type DecisionBody, decisionBody, review } from './schemas.ts';

export const acceptReview = deciding(
  'accept',
  'accepted',
  'Accept what is in review: take the payment as it is, or note what was said',
);
export const returnReview = deciding(
  'return',
  'returned',
  'Return what is in review: the money in question goes back to the payer',
);

function deciding(verb: string, decision: Decision, summary: string): Route<DecisionBody> {
  return {
    method: 'post',
    path: `/reviews/:id/${verb}`,
    summary,
    may: 'decide refunds',
    body: decisionBody,
    answers: { 200: review },
    refusals: ['invalid_state'],
    async handle({ context, caller, params, body }) {
      const who = await caller();
      return changeInTx(context, async (tx) => {
        const decided = await decideOnReview(tx, who, {
          id: reviewId(params),
          decision,
          note: body.note ?? null,
        });
        return { status: 200, body: reviewView(decided.review), jobs: decided.jobs };
      });
    },
  };
}
