import type { Transitions } from '../../shared/transitions.ts';
import type { attemptStatuses } from '../entities/attempt.ts';

/**
 * `queued`: surely not sent. `sending`: a worker asks the provider. `unconfirmed`: nobody knows
 * whether the provider has it. `open`: its link reached us. `lost`: the provider may have it, but
 * its link did not reach us. `cancelled`: never sent, for its charge was over.
 */
export type AttemptStatus = (typeof attemptStatuses)[number];

/** What can happen to one hosted payment at one provider. */
export type AttemptFact =
  | 'sent'
  | 'not reached'
  | 'unclear'
  | 'accepted'
  | 'refused'
  | 'link lost'
  | 'captured'
  | 'declined'
  | 'ended';

const paid = { captured: 'captured' } as const;
const watched = { ...paid, declined: 'declined', ended: 'expired' } as const;

/**
 * Where each fact takes an attempt. Money may come late on every attempt that ever reached a
 * provider, so `captured` is reachable from everywhere.
 */
export const attemptTransitions = {
  queued: {
    sent: 'sending',
    refused: 'refused',
    ...paid,
    declined: 'declined',
    ended: 'cancelled',
  },
  sending: {
    'not reached': 'queued',
    unclear: 'unconfirmed',
    accepted: 'open',
    refused: 'refused',
    'link lost': 'lost',
    ...watched,
  },
  unconfirmed: { accepted: 'open', 'link lost': 'lost', ...watched },
  open: watched,
  lost: watched,
  declined: paid,
  expired: paid,
  refused: paid,
  cancelled: paid,
  captured: {},
} as const satisfies Transitions<AttemptStatus, AttemptFact>;

/** A worker has yet to make the payment at the provider, or is about it. */
export const creatingAttemptStatuses = [
  'queued',
  'sending',
  'unconfirmed',
] as const satisfies readonly AttemptStatus[];

/** An attempt in one of these may still take the payer's money: it is watched. */
export const liveAttemptStatuses = [
  ...creatingAttemptStatuses,
  'open',
  'lost',
] as const satisfies readonly AttemptStatus[];

/**
 * The same, but those that surely never reached a provider: a charge does not fail while one of
 * them is unasked.
 */
export const sentLiveAttemptStatuses = [
  'sending',
  'unconfirmed',
  'open',
  'lost',
] as const satisfies readonly AttemptStatus[];

/** Money may come late on these while nothing is known to have been paid on them. */
export const unpaidAttemptStatuses = [
  'open',
  'lost',
  'declined',
  'expired',
] as const satisfies readonly AttemptStatus[];

/**
 * The creating is over, and the provider may know of it: whatever is asked about works on these.
 */
export const knownAttemptStatuses = [
  ...unpaidAttemptStatuses,
  'captured',
  'refused',
] as const satisfies readonly AttemptStatus[];
