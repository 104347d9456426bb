import type { HostedPayment, ProviderCapture, Verification } from '../../providers/port/payment.ts';
import { newId } from '../../shared/ids.ts';
import { follow } from '../../shared/transitions.ts';
import { type Ending, isOver } from '../charge/ending.ts';
import type { ChargeFact } from '../charge/facts.ts';
import type { TimelineEntry } from '../timeline/timeline.ts';
import type { UsableConnection } from './connections.ts';
import type { AttemptRow } from './row.ts';
import { nextReplacementAt } from './schedule.ts';
import { type AttemptStatus, attemptTransitions, liveAttemptStatuses } from './transitions.ts';

export type AttemptFact =
  | ({ type: 'accepted' } & HostedPayment)
  | { type: 'refused' | 'link lost' | 'ended'; message: string }
  /** `askedAt`: when the provider was asked, not when it answered. */
  | { type: 'verified'; verification: Verification; askedAt: Date };

export interface AttemptState {
  attempt: AttemptRow;
  others: readonly AttemptRow[];
  charge: Ending & { provider_wanted: string };
  usable: readonly UsableConnection[];
}

export type AttemptEffect =
  | { type: 'append to timeline'; entry: TimelineEntry }
  | { type: 'advance charge'; fact: ChargeFact }
  | { type: 'open attempt'; at: { connectionId: string; slot: string; dueAt: Date } };

export interface AttemptDecision {
  status?: AttemptStatus;
  /** `expiresAt` null: no end of its own. */
  link?: { url: string; expiresAt: Date | null; acceptedAt: Date };
  verifiedAt?: Date;
  effects: AttemptEffect[];
}

/** Pure and total. Undefined: nothing to write. */
export function decideAttempt(
  state: AttemptState,
  fact: AttemptFact,
  now: Date,
): AttemptDecision | undefined {
  if (fact.type === 'verified') return decideVerified(state, fact, now);
  const { attempt } = state;
  const status = follow(attemptTransitions, attempt.status, fact.type);
  if (status === undefined) return undefined;
  if (fact.type === 'accepted') return decideAccepted(attempt, fact, now);
  const { message } = fact;
  const noted = note(attempt, status, message);
  if (fact.type === 'ended' || isOver(state.charge, now)) return { status, effects: [noted] };
  const next = fact.type === 'refused' ? moveOn(state, message, now) : replace(state, message, now);
  return { status, effects: [noted, ...next] };
}

function decideAccepted(attempt: AttemptRow, link: HostedPayment, now: Date): AttemptDecision {
  const { slot, connection_id: connectionId } = attempt;
  const expiresAt =
    link.linkExpiresInMs === null ? null : new Date(now.getTime() + link.linkExpiresInMs);
  return {
    status: 'open',
    link: { url: link.url, expiresAt, acceptedAt: now },
    effects: [{ type: 'advance charge', fact: { type: 'opened', slot, connectionId } }],
  };
}

function decideVerified(
  { attempt, others }: AttemptState,
  { verification, askedAt }: Extract<AttemptFact, { type: 'verified' }>,
  now: Date,
): AttemptDecision {
  // Money that went back pays the charge only where no other money does.
  const captures = verification.captures.toSorted(
    (one, other) => Number(one.isReversed ?? false) - Number(other.isReversed ?? false),
  );
  const reported: ChargeFact[] = [
    ...captures.map((capture) => captureFact(attempt, capture, now)),
    ...unclearWords(verification).map((words) => ({ type: 'unclear' as const, words })),
  ];
  const effects: AttemptEffect[] = reported.map((fact) => ({ type: 'advance charge', fact }));
  const linkHasEnded = attempt.link_expires_at !== null && attempt.link_expires_at <= askedAt;
  const cause = causeOf(verification, linkHasEnded);
  const status = cause && follow(attemptTransitions, attempt.status, cause);
  if (!status) return { verifiedAt: askedAt, effects };
  if (cause === 'captured') return { status, verifiedAt: askedAt, effects };
  const message = verification.failureMessage ?? 'The payment link ended unpaid.';
  effects.push(note(attempt, status, message));
  if (cause === 'declined' && !others.some(isLive))
    effects.push({ type: 'advance charge', fact: { type: 'declined', message } });
  return { status, verifiedAt: askedAt, effects };
}

/** While the link is payable, an untried or retried attempt stays: the payer may still pay. */
function causeOf({ state, captures }: Verification, linkHasEnded: boolean) {
  if (captures.length > 0) return 'captured';
  if (linkHasEnded && state === 'retrying') return 'declined';
  if (linkHasEnded && state === 'absent') return 'ended';
  return state === 'declined' || state === 'ended' ? state : undefined;
}

function unclearWords({ state, status, unknownWords }: Verification): string[] {
  return state === 'unknown' ? [`status "${status}"`, ...unknownWords] : unknownWords;
}

function captureFact(attempt: AttemptRow, capture: ProviderCapture, now: Date): ChargeFact {
  return {
    ...capture,
    type: 'captured',
    captureId: newId('cap', now),
    attemptId: attempt.id,
    attemptReference: attempt.reference,
    attemptedAt: attempt.created_at,
    connectionId: attempt.connection_id,
    slot: attempt.slot,
    capturedAt: capture.capturedAt ?? now,
  };
}

/** After a refusal: the next connection; else, with nothing live, the charge fails. */
function moveOn(
  { attempt, charge, usable, others }: AttemptState,
  message: string,
  now: Date,
): AttemptEffect[] {
  const elsewhere = usable.filter(({ id }) => id !== attempt.connection_id);
  const [next] = charge.provider_wanted === 'auto' ? elsewhere : [];
  if (next)
    return [{ type: 'open attempt', at: { connectionId: next.id, slot: next.slot, dueAt: now } }];
  if (others.some(isLive)) return [];
  const fact = { type: 'refused', message: `No provider took the payment: ${message}` } as const;
  return [{ type: 'advance charge', fact }];
}

/** A new payment at the same connection; the more links were lost, the longer it waits. */
function replace(state: AttemptState, message: string, now: Date): AttemptEffect[] {
  const { connection_id: connectionId, slot } = state.attempt;
  if (!state.usable.some(({ id }) => id === connectionId)) {
    // The lost payment itself may still take the payer's money.
    const lost: AttemptRow = { ...state.attempt, status: 'lost' };
    return moveOn({ ...state, others: [...state.others, lost] }, message, now);
  }
  const dueAt = nextReplacementAt(state.others.length + 1, now);
  return [{ type: 'open attempt', at: { connectionId, slot, dueAt } }];
}

function isLive({ status }: AttemptRow): boolean {
  return (liveAttemptStatuses as readonly AttemptStatus[]).includes(status);
}

function note(attempt: AttemptRow, status: AttemptStatus, detail: string): AttemptEffect {
  const entry = { what: `attempt.${status}`, detail, attemptId: attempt.id };
  return { type: 'append to timeline', entry };
}
