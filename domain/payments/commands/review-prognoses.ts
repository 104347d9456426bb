import type { Actor } from '../../accounts/audit-log/record-change.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import { findByTransactionIds } from '../charge/find.ts';
import { approvalOfReturn, type ReturnApproval } from '../refund/approve-return.ts';
import { decideReview } from '../review/decide.ts';
import { findReviews } from '../review/find.ts';
import { type ReviewDecision, reviewDecisions } from '../review/transitions.ts';
import { returnIn, stateOf } from './accept-or-return-review.ts';

/** What each decision of a member would come to now. */
export interface ReviewPrognosis {
  /** Why it would be refused; one that is absent may be made. */
  refusals: Partial<Record<ReviewDecision, string>>;
  /** Of returning what is sent back; undefined: nothing is. */
  approval?: ReturnApproval;
}

/** By review, of a page of them. */
export async function prognosesOf(
  sql: Sql,
  member: Reader & Pick<Actor, 'memberId'>,
  ids: readonly string[],
): Promise<Map<string, ReviewPrognosis>> {
  const reviews = await findReviews(sql, member, ids);
  const chargeIds = reviews.map(({ charge_id }) => charge_id);
  const charges = await findByTransactionIds(sql, member, chargeIds);
  const chargeOf = new Map(charges.map((charge) => [charge.id, charge]));
  const prognoses = new Map<string, ReviewPrognosis>();
  for (const review of reviews) {
    const state = await stateOf({ sql }, chargeOf.get(review.charge_id)!, review);
    const prognosis: ReviewPrognosis = { refusals: {} };
    for (const decision of reviewDecisions) {
      const outcome = decideReview(state, decision);
      if ('refusal' in outcome) prognosis.refusals[decision] = outcome.refusal;
      const sent = 'refusal' in outcome ? undefined : returnIn(review, outcome.effects);
      if (sent) prognosis.approval = await approvalOfReturn(sql, member, sent);
    }
    prognoses.set(review.id, prognosis);
  }
  return prognoses;
}
