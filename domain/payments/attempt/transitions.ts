export const attemptStatuses = [
  'sending',
  'open',
  'captured',
  'declined',
  'expired',
  'refused',
  'lost',
] as const;
export type AttemptStatus = (typeof attemptStatuses)[number];

/** What can happen to one hosted payment at one provider. */
export type AttemptFact = 'accepted' | 'refused' | 'link lost' | 'captured' | 'declined' | 'ended';

/**
 * Where each fact takes an attempt. A pair that is absent changes nothing. Money may come late on every attempt that ever reached a
 * provider, so `captured` is reachable from everywhere.
 */
export const attemptTransitions: Record<
  AttemptStatus,
  Partial<Record<AttemptFact, AttemptStatus>>
> = {
  sending: {
    accepted: 'open',
    refused: 'refused',
    'link lost': 'lost',
    captured: 'captured',
    declined: 'declined',
    ended: 'expired',
  },
  open: { captured: 'captured', declined: 'declined', ended: 'expired' },
  lost: { captured: 'captured', declined: 'declined', ended: 'expired' },
  declined: { captured: 'captured' },
  expired: { captured: 'captured' },
  refused: { captured: 'captured' },
  captured: {},
};

/** An attempt in one of these may still take the payer's money: it is watched, and a charge does not fail while it is unasked. */
export const liveAttemptStatuses: readonly AttemptStatus[] = ['sending', 'open', 'lost'];

/** The status a fact leads to, or undefined when it changes nothing. */
export function decideAttempt(status: AttemptStatus, fact: AttemptFact): AttemptStatus | undefined {
  return attemptTransitions[status][fact];
}
