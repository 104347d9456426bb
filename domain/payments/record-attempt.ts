import { makeTaskDueBy } from '../accounts/connection/tasks.ts';
import type { Job } from '../jobs.ts';
import { sha256Of } from '../shared/sha256.ts';
import type { Tx } from '../shared/tx.ts';
import { advanceCharge } from './apply.ts';
import { usableConnections } from './attempt/connections.ts';
import {
  type AttemptEffect,
  type AttemptFact,
  type AttemptState,
  decideAttempt,
} from './attempt/decide.ts';
import type { AttemptRow } from './attempt/row.ts';
import { findAttempts, openAttempt, setNextCheck, updateAttempt } from './attempt/store.ts';
import { type AttemptStatus, creatingAttemptStatuses } from './attempt/transitions.ts';
import {
  findWatched,
  isPaidAgainByList,
  nextCheckOf,
  type WatchedAttempt,
} from './attempt/watched.ts';
import type { ChargeRow } from './charge/row.ts';
import { lockChargeOf } from './charge/store.ts';
import { expireWhenAnswered } from './expire-charge.ts';
import { nextRoundAt } from './listing/round.ts';
import { appendTimeline, type Evidence } from './timeline/timeline.ts';

/**
 * Records a fact about an attempt: its new status, what it means for the charge (opened, paid,
 * failed, expired), the next attempt where one is needed, and when to ask again. Everything in the
 * caller's transaction; safe to repeat. Returns the jobs to enqueue after the commit.
 */
export async function recordAttempt(tx: Tx, attemptId: string, fact: AttemptFact): Promise<Job[]> {
  const charge = await lockChargeOf(tx, 'attempt', attemptId);
  if (!charge) throw new Error(`No attempt ${attemptId}.`);
  const decision = decideAttempt(await stateOf(tx, charge, attemptId, fact), fact, tx.now);
  const jobs: Job[] = [];
  if (decision) {
    await updateAttempt(tx, attemptId, decision);
    const evidence = evidenceOf(fact);
    for (const effect of decision.effects)
      jobs.push(...(await applyEffect(tx, charge, effect, evidence)));
  }
  jobs.push(...(await expireWhenAnswered(tx, charge.id)));
  jobs.push(...(await scheduleNextCheck(tx, attemptId, fact)));
  return jobs;
}

async function stateOf(
  tx: Tx,
  charge: ChargeRow,
  attemptId: string,
  fact: AttemptFact,
): Promise<AttemptState> {
  const attempts = await findAttempts(tx.sql, charge.id);
  const needsNext = fact.type === 'refused' || fact.type === 'link lost';
  return {
    attempt: attempts.find(({ id }) => id === attemptId)!,
    others: attempts.filter(({ id }) => id !== attemptId),
    charge,
    usable: needsNext ? await usableConnections(tx.sql, charge.id) : [],
  };
}

function evidenceOf(fact: AttemptFact): Evidence | undefined {
  if (fact.type !== 'verified') return undefined;
  const { raw } = fact.verification;
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

/**
 * Sets when the provider is asked about the attempt again, and returns that job. A check that
 * became due after this answer was asked for, such as one of the payment audit, stays due.
 */
async function scheduleNextCheck(tx: Tx, attemptId: string, fact: AttemptFact): Promise<Job[]> {
  const attempt = await findWatched(tx.sql, attemptId);
  if ((creatingAttemptStatuses as readonly AttemptStatus[]).includes(attempt.status)) return [];
  if (fact.type === 'verified' && isDueSince(attempt, fact.askedAt, tx.now)) return [];
  const dueAt = nextCheckOf(attempt, tx.now);
  await setNextCheck(tx, attemptId, dueAt);
  const { tries, connection_id: group } = attempt;
  return [
    ...(dueAt ? [{ queue: 'charge-check', id: attemptId, tries, group, dueAt } as const] : []),
    ...(await listPaymentsSoon(tx, attempt, dueAt)),
  ];
}

/**
 * Has the list of the connection's payments read soon where the next check is far away, and where
 * only a list shows a second payment.
 */
async function listPaymentsSoon(
  tx: Tx,
  attempt: WatchedAttempt,
  nextCheckAt: Date | null,
): Promise<Job[]> {
  const dueAt = nextRoundAt(tx.now, true);
  const isFarAway = nextCheckAt ? nextCheckAt > dueAt : isPaidAgainByList(attempt);
  return isFarAway ? makeTaskDueBy(tx, attempt.connection_id, 'payments', dueAt) : [];
}

/** A claimed attempt is due at the end of its lease, which is still to come. */
function isDueSince({ due_at: dueAt }: AttemptRow, askedAt: Date, now: Date): boolean {
  return dueAt !== null && dueAt > askedAt && dueAt <= now;
}
