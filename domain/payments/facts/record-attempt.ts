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
import { type AttemptChange, changed, openAttempt, updateAttempt } from '../attempt/store.ts';
import { type AttemptStatus, creatingAttemptStatuses } from '../attempt/transitions.ts';
import { isPaidAgainByList, nextCheckOf, type WatchedAttempt } from '../attempt/watched.ts';
import { hasEnded } from '../charge/ending.ts';
import type { ChargeFact } from '../charge/facts.ts';
import { nextRoundAt } from '../listing/round.ts';
import { appendTimeline, type Evidence } from '../timeline/timeline.ts';
import { advanceLocked } from './advance-charge.ts';
import { expireWhenAnswered } from './expire-charge.ts';
import { type LockedCharge, lockWithAttempts, type Reported, watchedOf } from './locked-charge.ts';

/**
 * Records a fact in the caller's transaction: the attempt's status, what it means for the charge,
 * the next attempt and check. Safe to repeat. What a decision changes is followed in memory, and
 * read again only where that is not known.
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
  const chargeId = locked.charge.id;
  const recording: Recording = { tx, attemptId, chargeId, fact, locked, unwritten: undefined };
  const decision = decideAttempt(await stateOf(recording), fact, tx.now);
  if (decision) {
    recording.unwritten = decision;
    for (const effect of decision.effects) await applyEffect(recording, effect);
  }
  if (hasEnded((await lockedNow(recording)).charge, tx.now)) {
    await writeAttempt(recording);
    await expireWhenAnswered(tx, recording.chargeId);
    recording.locked = undefined;
  }
  await scheduleNextCheck(recording);
}

interface Recording {
  tx: Tx;
  attemptId: string;
  chargeId: string;
  fact: AttemptFact;
  /** Undefined: it must be read again. */
  locked: LockedCharge | undefined;
  unwritten: AttemptChange | undefined;
}

export function reportedBy(attemptId: string, fact: AttemptFact): Reported {
  const captures = fact.type === 'verified' ? fact.verification.captures : [];
  return { attemptId, paymentIds: captures.map(({ providerPaymentId }) => providerPaymentId) };
}

/** Includes what was written of the attempt. */
async function lockedNow(recording: Recording): Promise<LockedCharge> {
  if (recording.locked) return recording.locked;
  await writeAttempt(recording);
  const { tx, attemptId, fact } = recording;
  recording.locked = await lockWithAttempts(tx, reportedBy(attemptId, fact));
  return recording.locked;
}

async function writeAttempt(recording: Recording, dueAt?: Date | null): Promise<void> {
  const { tx, attemptId, unwritten } = recording;
  if (!unwritten && dueAt === undefined) return;
  await updateAttempt(tx, attemptId, { ...unwritten, ...(dueAt !== undefined && { dueAt }) });
  recording.unwritten = undefined;
}

async function stateOf(recording: Recording): Promise<AttemptState> {
  const { tx, attemptId, fact, chargeId } = recording;
  const { charge, attempts } = await lockedNow(recording);
  const needsNext = fact.type === 'refused' || fact.type === 'link lost';
  return {
    attempt: attempts.find(({ id }) => id === attemptId)!,
    others: attempts.filter(({ id }) => id !== attemptId),
    charge,
    usable: needsNext ? await usableConnections(tx.sql, chargeId) : [],
  };
}

function evidenceOf(fact: AttemptFact): Evidence | undefined {
  if (fact.type !== 'verified') return undefined;
  const { raw } = fact.verification;
  return { sha256: sha256Of(raw), payload: raw };
}

async function applyEffect(recording: Recording, effect: AttemptEffect): Promise<void> {
  const { tx, fact } = recording;
  switch (effect.type) {
    case 'append to timeline': {
      const { charge } = await lockedNow(recording);
      return appendTimeline(tx, charge, [effect.entry], evidenceOf(fact));
    }
    case 'advance charge':
      return advance(recording, effect.fact);
    case 'open attempt': {
      const { charge } = await lockedNow(recording);
      return openAttempt(tx, charge, effect.at);
    }
  }
}

async function advance(recording: Recording, fact: ChargeFact): Promise<void> {
  const { tx } = recording;
  const locked = await lockedNow(recording);
  const after = await advanceLocked(tx, locked, fact, evidenceOf(recording.fact));
  const recorded = after?.recorded.map((capture) => ({
    ...capture,
    attemptId: recording.attemptId,
    recordedAt: tx.now,
  }));
  recording.locked = after && {
    ...locked,
    charge: after.charge,
    captures: [...locked.captures, ...recorded!],
  };
}

/** A check that became due after this answer was asked for stays due. */
async function scheduleNextCheck(recording: Recording): Promise<void> {
  const { tx, fact } = recording;
  const attempt = await attemptNow(recording);
  const isCreating = (creatingAttemptStatuses as readonly AttemptStatus[]).includes(attempt.status);
  const staysDue = fact.type === 'verified' && isDueSince(attempt, fact.askedAt, tx.now);
  const dueAt = isCreating || staysDue ? undefined : nextCheckOf(attempt, tx.now);
  await writeAttempt(recording, dueAt);
  if (dueAt === undefined) return;
  await listPaymentsSoon(tx, attempt, dueAt);
  const { id, connection_id: group } = attempt;
  if (dueAt) tx.enqueue({ queue: 'charge-check', id, group, dueAt });
}

async function attemptNow(recording: Recording): Promise<WatchedAttempt> {
  const locked = await lockedNow(recording);
  const attempt = locked.attempts.find(({ id }) => id === recording.attemptId)!;
  return watchedOf(locked, changed(attempt, recording.unwritten ?? {}));
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
