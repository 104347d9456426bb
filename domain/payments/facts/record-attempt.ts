import { makeTaskDueBy } from '../../accounts/connection/tasks.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Tx } from '../../shared/tx.ts';
import { usableConnections } from '../attempt/connections.ts';
import {
  type AttemptEffect,
  type AttemptFact,
  type AttemptState,
  decideAttempt,
} from '../attempt/decide.ts';
import type { AttemptRow } from '../attempt/row.ts';
import { changed, openAttempt, updateAttempt } from '../attempt/store.ts';
import { type AttemptStatus, creatingAttemptStatuses } from '../attempt/transitions.ts';
import { isPaidAgainByList, nextCheckOf, type WatchedAttempt } from '../attempt/watched.ts';
import { nextRoundAt } from '../listing/round.ts';
import { appendTimeline, type Evidence } from '../timeline/timeline.ts';
import { advanceLocked } from './advance-charge.ts';
import { expireLocked } from './expire-charge.ts';
import { type LockedCharge, lockWithAttempts, type Reported, watchedOf } from './locked-charge.ts';

/**
 * Records a fact in the caller's transaction: the attempt's status, what it means for the charge,
 * the next attempt and check. Safe to repeat.
 */
export async function recordAttempt(tx: Tx, attemptId: string, fact: AttemptFact): Promise<void> {
  return recordLocked(tx, attemptId, fact, await lockWithAttempts(tx, reportedBy(attemptId, fact)));
}

/** The caller has locked and read the charge. */
export async function recordLocked(
  tx: Tx,
  attemptId: string,
  fact: AttemptFact,
  locked: LockedCharge,
): Promise<void> {
  const attempt = locked.attempts.find(({ id }) => id === attemptId)!;
  const decision = decideAttempt(await stateOf(tx, locked, attempt, fact), fact, tx.now);
  if (decision) await updateAttempt(tx, attemptId, decision);
  let now = locked;
  for (const effect of decision?.effects ?? [])
    now = await applyEffect(tx, now, effect, evidenceOf(fact));
  now = await expireLocked(tx, now);
  await scheduleNextCheck(tx, fact, watchedOf(now, changed(attempt, decision ?? {})));
}

export function reportedBy(attemptId: string, fact: AttemptFact): Reported {
  const captures = fact.type === 'verified' ? fact.verification.captures : [];
  return { attemptId, paymentIds: captures.map(({ providerPaymentId }) => providerPaymentId) };
}

async function stateOf(
  { sql }: Tx,
  { charge, attempts }: LockedCharge,
  attempt: AttemptRow,
  { type }: AttemptFact,
): Promise<AttemptState> {
  const needsNext = type === 'refused' || type === 'link lost';
  const usable = needsNext ? await usableConnections(sql, charge.id) : [];
  return { attempt, others: attempts.filter(({ id }) => id !== attempt.id), charge, usable };
}

function evidenceOf(fact: AttemptFact): Evidence | undefined {
  if (fact.type !== 'verified') return undefined;
  const { raw } = fact.verification;
  return { sha256: sha256Of(raw), payload: raw };
}

/** Returns what the charge is after it. */
async function applyEffect(
  tx: Tx,
  now: LockedCharge,
  effect: AttemptEffect,
  evidence: Evidence | undefined,
): Promise<LockedCharge> {
  switch (effect.type) {
    case 'append to timeline':
      await appendTimeline(tx, now.charge, [effect.entry], evidence);
      return now;
    case 'advance charge':
      return advanceLocked(tx, now, effect.fact, evidence);
    case 'open attempt':
      await openAttempt(tx, now.charge, effect.at);
      return now;
  }
}

/** A check that became due after this answer was asked for stays due. */
async function scheduleNextCheck(tx: Tx, fact: AttemptFact, attempt: WatchedAttempt) {
  if ((creatingAttemptStatuses as readonly AttemptStatus[]).includes(attempt.status)) return;
  if (fact.type === 'verified' && isDueSince(attempt, fact.askedAt, tx.now)) return;
  const dueAt = nextCheckOf(attempt, tx.now);
  const { id, connection_id: group } = attempt;
  await updateAttempt(tx, id, { dueAt });
  await listPaymentsSoon(tx, attempt, dueAt);
  if (dueAt) tx.enqueue({ queue: 'charge-check', id, group, dueAt });
}

/** Where the next check is far away, and where only a list shows a second payment. */
async function listPaymentsSoon(tx: Tx, attempt: WatchedAttempt, nextCheckAt: Date | null) {
  const dueAt = nextRoundAt(tx.now, true, attempt.connection_id);
  const isFarAway = nextCheckAt ? nextCheckAt > dueAt : isPaidAgainByList(attempt);
  if (isFarAway) await makeTaskDueBy(tx, attempt.connection_id, 'payments', dueAt);
}

/** A claimed attempt is due at the end of its lease, which is still to come. */
function isDueSince({ due_at: dueAt }: AttemptRow, askedAt: Date, now: Date): boolean {
  return dueAt !== null && dueAt > askedAt && dueAt <= now;
}
