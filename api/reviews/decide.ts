import { acceptOrReturnReview } from '../../domain/payments/commands/accept-or-return-review.ts';
import { noSuchReview } from '../../domain/payments/review/find.ts';
import { reviewView } from '../../domain/payments/review/row.ts';
import type { ReviewDecision } from '../../domain/payments/review/transitions.ts';
import { changeInTx } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import type { ApiRequest } from '../http/route.ts';
import type { DecideReviewBody } from './schemas.ts';

/** Decides on the review in the path. */
export async function decide(
  { context, caller, params, body }: ApiRequest<DecideReviewBody>,
  decision: ReviewDecision,
) {
  const who = await caller();
  return changeInTx(context, async (tx) => {
    const review = await acceptOrReturnReview(tx, who, {
      id: pathId(params, 'rev', noSuchReview),
      decision,
      note: body.note ?? null,
    });
    return { status: 200, body: reviewView(review) };
  });
}
