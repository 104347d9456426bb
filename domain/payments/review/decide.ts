import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import type { Job } from '../../jobs.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { readCapture, setAside } from '../capture/captures.ts';
import { advanceCharge } from '../charge/advance.ts';
import type { ChargeRow } from '../charge/row.ts';
import type { ReviewReason } from '../charge/transitions.ts';
import { excessOf } from '../refund/gone.ts';
import { openSystemRefund } from '../refund/system.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { findReview, noSuchReview } from './find.ts';
import { dropReason } from './open.ts';
import type { ReviewRow } from './row.ts';
import { type Decision, type Deed, decideReview, type ReviewState } from './transitions.ts';

/** A person's decision on a review. */
export interface DecidedReview {
  id: string;
  decision: Decision;
  /** Why, for the history and the audit log; null: not said. */
  note: string | null;
}

/**
 * Writes a person's decision and does what it means: the payment becomes the charge's own, goes back to the payer, or it is noted. Throws
 * `not_found`, and `invalid_state` for what was decided already or cannot be done, saying why. Returns the jobs to enqueue after the commit.
 */
export async function decideOnReview(
  tx: Tx,
  actor: Actor,
  { id, decision, note }: DecidedReview,
): Promise<{ review: ReviewRow; jobs: Job[] }> {
  const charge = await lockChargeOf(tx, actor, id);
  const review = await findReview(tx.sql, actor, id);
  const verdict = decideReview(stateOf(charge, review), decision);
  if ('refusal' in verdict) throw new Problem('invalid_state', verdict.refusal);
  const jobs = await deeds[verdict.deed](tx, charge, review);
  await tx.sql.query(
    'update reviews set status = $2, decided_by = $3, decided_at = $4 where id = $1',
    [id, decision, actor.memberId ?? actor.subjectId, tx.now],
  );
  await dropReason(tx, charge.id, review.reason);
  await writeDown(tx, actor, charge, review, { decision, note });
  return { review: await findReview(tx.sql, actor, id), jobs };
}

type LockedCharge = ChargeRow & { capture_id: string | null };

/** The charge's lock comes first everywhere, so that of two decisions at once one finds the other made. */
async function lockChargeOf(
  { sql }: Tx,
  { tenantId, mode }: Actor,
  id: string,
): Promise<LockedCharge> {
  const [charge] = await sql.query<LockedCharge>(
    'select * from charges where id = (select charge_id from reviews where id = $1 and tenant_id = $2 and mode = $3) for update',
    [id, tenantId, mode],
  );
  if (!charge) throw noSuchReview();
  return charge;
}

function stateOf(charge: LockedCharge, review: ReviewRow): ReviewState {
  const { amount_kobo: amountKobo, currency, capture_id: captureId } = charge;
  const { payment } = review;
  return {
    reason: review.reason,
    status: review.status,
    charge: { amountKobo, currency, hasAppliedCapture: captureId !== null },
    payment: payment && {
      status: payment.status,
      amountKobo: payment.amount_kobo,
      currency: payment.currency,
    },
  };
}

const deeds: Record<Deed, (tx: Tx, charge: LockedCharge, review: ReviewRow) => Promise<Job[]>> = {
  keep: async (tx, charge, review) => {
    const capture = await readCapture(tx, review.capture_id!);
    return advanceCharge(tx, charge.id, { type: 'accepted', capture });
  },
  'keep aside': async (tx, _charge, review) => {
    await setAside(tx, review.capture_id!);
    return [];
  },
  'send back': async (tx, charge, review) => {
    const captureId = review.capture_id!;
    await setAside(tx, captureId);
    const { status, amount_kobo: paidKobo } = review.payment!;
    const excessKobo = excessOf(charge, { isApplied: status === 'applied', paidKobo });
    return openSystemRefund(tx, {
      charge,
      captureId,
      paidKobo,
      excessKobo,
      reason: whyBack[review.reason],
    });
  },
  'ask again': askAgain,
  nothing: async () => [],
};

/** What the provider keeps with the money it sends back. */
const whyBack: Record<ReviewReason, string> = {
  underpaid: 'It was less than was asked.',
  overpaid: 'It was more than was asked.',
  extra_capture: 'It was paid a second time.',
  capture_mismatch: 'It does not fit what was asked.',
  unknown_status: 'It was not expected.',
  link_paid_before: 'It was not expected.',
  dispute: 'It was not expected.',
};

/** Everything a provider may know of the charge is due to be asked about now. */
async function askAgain({ sql, now }: Tx, { id }: LockedCharge): Promise<Job[]> {
  const rows = await sql.query<{ id: string; tries: number }>(
    `update attempts set due_at = $2, enqueues = 0, enqueued_at = null
     where charge_id = $1 and sent_at is not null and status <> 'sending' returning id, tries`,
    [id, now],
  );
  return rows.map((row) => ({ queue: 'charge-check', ...row }));
}

/** A line in the charge's history and one in the audit log. */
async function writeDown(
  tx: Tx,
  actor: Actor,
  charge: LockedCharge,
  review: ReviewRow,
  { decision, note }: Omit<DecidedReview, 'id'>,
): Promise<void> {
  const what = `review.${decision}`;
  const said = note === null ? [] : [`Note: ${note}`];
  const detail = [
    `${decision === 'accepted' ? 'Accepted' : 'Returned'} (${review.id}): ${review.detail}`,
    ...said,
  ].join(' ');
  await appendTimeline(tx, charge, [
    { what, detail, ...(review.amount_kobo === null ? {} : { amountKobo: review.amount_kobo }) },
  ]);
  await recordChange(
    tx,
    actor,
    what,
    review.id,
    [`${review.reason} of SV-${charge.number}`, ...(note === null ? [] : [note])].join(': '),
  );
}
