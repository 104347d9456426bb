import { decideOnReview } from '../../domain/review/decide.ts';
import type { Decision } from '../../domain/review/machine.ts';
import { reviewView } from '../../domain/review/row.ts';
import { inPhase } from '../once.ts';
import type { Route } from '../route.ts';
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
      return inPhase(context, async (phase) => {
        const decided = await decideOnReview(phase, who, {
          id: reviewId(params),
          decision,
          note: body.note ?? null,
        });
        return { status: 200, body: reviewView(decided.review), jobs: decided.jobs };
      });
    },
  };
}
