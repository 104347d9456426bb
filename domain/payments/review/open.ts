import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import type { ReviewReason } from '../charge/transitions.ts';

/** What a person should look at. */
export interface Question {
  reason: ReviewReason;
  /** In a sentence. */
  detail: string;
  /** The payment it is about, where there is one. */
  captureId: string | null;
  /** What is in question, where it is money. */
  amountKobo: number | null;
}

/**
 * Asks a person about a charge. One question of a kind stands about a payment at a time: asked again while it is open, it says what is
 * so by now. The charge's own list of open reasons is its writer's.
 */
export async function openReview(
  { sql, now }: Tx,
  charge: Pick<ChargeRow, 'id' | 'tenant_id' | 'mode'>,
  { reason, detail, captureId, amountKobo }: Question,
): Promise<void> {
  await sql.query(
    `insert into reviews (id, tenant_id, mode, charge_id, capture_id, reason, detail, amount_kobo, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (charge_id, reason, coalesce(capture_id, '')) where status = 'open'
       do update set detail = excluded.detail, amount_kobo = excluded.amount_kobo`,
    [
      newId('rev', now),
      charge.tenant_id,
      charge.mode,
      charge.id,
      captureId,
      reason,
      detail,
      amountKobo,
      now,
    ],
  );
}

/** True when a person was asked this very thing before, whatever they decided: what a provider repeats for ever is asked once. */
export async function wasAsked(
  { sql }: Tx,
  chargeId: string,
  { reason, detail }: Pick<Question, 'reason' | 'detail'>,
): Promise<boolean> {
  const asked = await sql.query(
    'select 1 from reviews where charge_id = $1 and reason = $2 and detail = $3 limit 1',
    [chargeId, reason, detail],
  );
  return asked.length > 0;
}

/**
 * Closes a question that answered itself: a held payment has grown, a payment on top went back at the provider. Nothing happens where
 * none is open. The charge must be locked. Returns the reasons its review still has.
 */
export async function resolveReviews(
  tx: Tx,
  {
    chargeId,
    captureId,
    reason,
  }: { chargeId: string; captureId: string | null; reason: ReviewReason },
): Promise<ReviewReason[]> {
  await tx.sql.query(
    `update reviews set status = 'resolved', decided_at = $4
     where charge_id = $1 and capture_id is not distinct from $2 and reason = $3 and status = 'open'`,
    [chargeId, captureId, reason, tx.now],
  );
  return dropReason(tx, chargeId, reason);
}

/** Takes a reason off the charge's list once no question of its kind is open any more. Returns what is left. */
export async function dropReason(
  { sql }: Tx,
  chargeId: string,
  reason: ReviewReason,
): Promise<ReviewReason[]> {
  const [charge] = await sql.query<{ review: ReviewReason[] }>(
    `update charges set review = case
       when exists (select from reviews where charge_id = $1 and reason = $2 and status = 'open') then review
       else array_remove(review, $2) end
     where id = $1 returning review`,
    [chargeId, reason],
  );
  return charge!.review;
}
