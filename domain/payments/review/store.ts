import { newId } from '../../shared/ids.ts';
import { statement } from '../../shared/sql.ts';
import { statusesBefore } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import { Review } from '../entities/review.ts';
import type { ReviewReason } from '../entities/review-reasons.ts';
import type { NewReview } from './row.ts';
import { type ReviewDecision, reviewTransitions } from './transitions.ts';

/** One review per payment and reason is open: opened again, it asks about the larger amount. */
export async function openReview(
  { sql, now }: Tx,
  charge: { id: string; tenant_id: string; mode: string },
  review: NewReview,
): Promise<void> {
  const { id: chargeId, tenant_id: tenantId, mode } = charge;
  const id = newId('rev', now);
  await insert(sql, { ...review, id, tenantId, mode, chargeId, now });
}

const insert = statement(`
  insert into reviews (id, tenant_id, mode, charge_id, capture_id, reason, detail, amount_kobo,
    created_at)
  values (:id, :tenantId, :mode, :chargeId, :captureId, :reason, :detail, :amountKobo, :now)
  on conflict (charge_id, reason, coalesce(capture_id, '')) where status = 'open'
    do update set detail = excluded.detail,
      amount_kobo = greatest(reviews.amount_kobo, excluded.amount_kobo),
      first_approved_by = null, first_approved_at = null`);

/** Whatever was decided. */
export async function wasAsked(
  { sql }: Tx,
  chargeId: string,
  { reason, detail }: Pick<NewReview, 'reason' | 'detail'>,
): Promise<boolean> {
  const asked = await sql.query(
    'select 1 from reviews where charge_id = $1 and reason = $2 and detail = $3 limit 1',
    [chargeId, reason, detail],
  );
  return asked.length > 0;
}

/** Nothing is left to decide. */
export async function resolveReviews(
  { sql, now }: Tx,
  {
    chargeId,
    captureId,
    reasons,
  }: { chargeId: string; captureId: string; reasons: readonly ReviewReason[] },
): Promise<void> {
  await sql.query(
    `update reviews set status = 'resolved', decided_at = $4
     where charge_id = $1 and capture_id = $2 and reason = any($3) and status = any($5)`,
    [chargeId, captureId, reasons, now, statusesBefore(reviewTransitions, 'resolved')],
  );
}

export async function writeFirstReturn({ em, now }: Tx, id: string, by: string): Promise<void> {
  await em.nativeUpdate(Review, { id }, { first_approved_by: by, first_approved_at: now });
}

export async function writeReviewDecision(
  { em, now }: Tx,
  id: string,
  { decision, decidedBy }: { decision: ReviewDecision; decidedBy: string },
): Promise<void> {
  await em.nativeUpdate(
    Review,
    { id },
    { status: decision, decided_by: decidedBy, decided_at: now },
  );
}
