import type { Job } from '../jobs.ts';
import { sha256Of } from '../shared/sha256.ts';
import type { Sql } from '../shared/sql.ts';
import type { Tx } from '../shared/tx.ts';
import { advanceCharge } from './apply.ts';
import { usableConnections } from './attempt/connections.ts';
import {
  type AttemptEffect,
  type AttemptNotice,
  type AttemptState,
  decideAttempt,
} from './attempt/decide.ts';
import type { AttemptRow } from './attempt/row.ts';
import { nextCheckAt } from './attempt/schedule.ts';
import { findAttempts, openAttempt, setNextCheck, updateAttempt } from './attempt/store.ts';
import { type AttemptStatus, creatingAttemptStatuses } from './attempt/transitions.ts';
import type { ChargeRow } from './charge/row.ts';
import { lockChargeOf } from './charge/store.ts';
import { isUnpaid } from './charge/transitions.ts';
import { expireWhenAnswered } from './expire-charge.ts';
import { appendTimeline, type Evidence } from './timeline/timeline.ts';

/**
 * Records what became known of an attempt: its own move, what it means for the charge (opened, paid, failed, expired), the next attempt
 * where one is needed, and when to ask again. Everything in the caller's transaction; safe to repeat. Returns the jobs to enqueue after
 * the commit.
 */
export async function recordAttempt(
  tx: Tx,
  attemptId: string,
  notice: AttemptNotice,
): Promise<Job[]> {
  const charge = await lockChargeOf(tx, 'attempt', attemptId);
  if (!charge) throw new Error(`No attempt ${attemptId}.`);
  const decision = decideAttempt(await stateOf(tx, charge, attemptId, notice), notice, tx.now);
  const jobs: Job[] = [];
  if (decision) {
    await updateAttempt(tx, attemptId, decision);
    const evidence = evidenceOf(notice);
    for (const effect of decision.effects)
      jobs.push(...(await applyEffect(tx, charge, effect, evidence)));
  }
  jobs.push(...(await expireWhenAnswered(tx, charge.id)));
  jobs.push(...(await scheduleNextCheck(tx, attemptId)));
  return jobs;
}

async function stateOf(
  tx: Tx,
  charge: ChargeRow,
  attemptId: string,
  notice: AttemptNotice,
): Promise<AttemptState> {
  const attempts = await findAttempts(tx.sql, charge.id);
  const needsNext = notice.type === 'refused' || notice.type === 'link lost';
  return {
    attempt: attempts.find(({ id }) => id === attemptId)!,
    others: attempts.filter(({ id }) => id !== attemptId),
    charge,
    usable: needsNext ? await usableConnections(tx.sql, charge.id) : [],
  };
}

function evidenceOf(notice: AttemptNotice): Evidence | undefined {
  if (notice.type !== 'verified') return undefined;
  const { raw } = notice.verification;
  return { sha256: sha256Of(raw), payload: raw };
}

async function applyEffect(
  tx: Tx,
  charge: ChargeRow,
  effect: AttemptEffect,
  evidence?: Evidence,
): Promise<Job[]> {
  switch (effect.type) {
    case 'append to timeline':
      await appendTimeline(tx, charge, [effect.entry], evidence);
      return [];
    case 'advance charge':
      return advanceCharge(tx, charge.id, effect.fact, evidence);
    case 'open attempt':
      return [await openAttempt(tx, charge, effect.at)];
  }
}

/** Sets when the attempt is asked about again, from what is written by now, and returns that job. */
async function scheduleNextCheck(tx: Tx, attemptId: string): Promise<Job[]> {
  const attempt = await findWatched(tx.sql, attemptId);
  if ((creatingAttemptStatuses as readonly AttemptStatus[]).includes(attempt.status)) return [];
  const dueAt = dueAgainAt(attempt, tx.now);
  await setNextCheck(tx, attemptId, dueAt);
  return dueAt ? [{ queue: 'charge-check', id: attemptId, tries: attempt.tries, dueAt }] : [];
}

/** When an attempt that was asked about in vain is asked about again: at the next point of its schedule, null when there is none. */
export async function nextCheckOf(sql: Sql, attemptId: string, now: Date): Promise<Date | null> {
  return dueAgainAt(await findWatched(sql, attemptId), now);
}

interface WatchedAttempt extends AttemptRow {
  charge: Pick<ChargeRow, 'status' | 'review'>;
  charge_expires_at: Date;
  cancel_requested_at: Date | null;
  failed_at: Date | null;
}

async function findWatched(sql: Sql, attemptId: string): Promise<WatchedAttempt> {
  const [row] = await sql.query<WatchedAttempt>(
    `select a.*, json_build_object('status', c.status, 'review', c.review) as charge, c.expires_at as charge_expires_at,
       c.cancel_requested_at, c.failed_at
     from attempts a join charges c on c.id = a.charge_id where a.id = $1`,
    [attemptId],
  );
  return row!;
}

function dueAgainAt(attempt: WatchedAttempt, now: Date): Date | null {
  if (!isWatched(attempt)) return null;
  const watched = {
    since: attempt.accepted_at ?? attempt.sent_at ?? attempt.created_at,
    linkExpiresAt: attempt.link_expires_at,
    chargeExpiresAt: attempt.charge_expires_at,
    // Too little has come: a cancellation does not end that, and the payer may still send the rest.
    cancelRequestedAt: attempt.charge.review.includes('underpaid')
      ? null
      : attempt.cancel_requested_at,
    failedAt: attempt.failed_at,
    verifiedAt: attempt.verified_at,
  };
  return nextCheckAt(watched, now);
}

/**
 * A captured attempt of an unpaid charge holds too little: the payer may send the rest under the same payment. An ended link may still
 * have a slow transfer on its way, whether the charge is paid by another one meanwhile or not.
 */
function isWatched({ status, failed_at: failedAt, charge }: WatchedAttempt): boolean {
  if (status === 'captured') return isUnpaid(charge.status);
  if (status === 'declined') return failedAt !== null;
  return status === 'open' || status === 'lost' || status === 'expired';
}
