import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import { findByTransactionIds } from '../charge/find.ts';
import { decideReview } from '../review/decide.ts';
import { findReviews } from '../review/find.ts';
import { type ReviewDecision, reviewDecisions } from '../review/transitions.ts';
import { stateOf } from './accept-or-return-review.ts';

/** Why a decision would be refused now; one that is absent may be made. */
export type ReviewRefusals = Partial<Record<ReviewDecision, string>>;

/** By review, of a page of them. */
export async function refusalsOf(
  sql: Sql,
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, ReviewRefusals>> {
  const reviews = await findReviews(sql, reader, ids);
  const chargeIds = reviews.map(({ charge_id }) => charge_id);
  const charges = await findByTransactionIds(sql, reader, chargeIds);
  const chargeOf = new Map(charges.map((charge) => [charge.id, charge]));
  const refusals = new Map<string, ReviewRefusals>();
  for (const review of reviews) {
    const state = await stateOf({ sql }, chargeOf.get(review.charge_id)!, review);
    const refused = reviewDecisions.flatMap((decision) => {
      const outcome = decideReview(state, decision);
      return 'refusal' in outcome ? [[decision, outcome.refusal] as const] : [];
    });
    refusals.set(review.id, Object.fromEntries(refused));
  }
  return refusals;
}
