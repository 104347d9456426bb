import type { Transitions } from '../../shared/transitions.ts';
import type { attemptStatuses } from '../entities/attempt.ts';

/**
 * `queued`: surely not sent. `unconfirmed`: nobody knows whether the provider has it. `lost`: the
 * provider may have it, but its link did not reach us. `cancelled`: never sent.
 */
export type AttemptStatus = (typeof attemptStatuses)[number];

export type AttemptCause =
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

/** Money may come late on whatever reached a provider: `captured` is reachable from everywhere. */
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
} as const satisfies Transitions<AttemptStatus, AttemptCause>;

/** Not at the provider yet, or not confirmed. */
export const creatingAttemptStatuses = [
  'queued',
  'sending',
  'unconfirmed',
] as const satisfies readonly AttemptStatus[];

/** These may still take the payer's money. */
export const liveAttemptStatuses = [
  ...creatingAttemptStatuses,
  'open',
  'lost',
] as const satisfies readonly AttemptStatus[];

/** A charge does not fail before the provider was asked about each of these. */
export const sentLiveAttemptStatuses = [
  'sending',
  'unconfirmed',
  'open',
  'lost',
] as const satisfies readonly AttemptStatus[];

/** Money may come late on these. */
export const unpaidAttemptStatuses = [
  'open',
  'lost',
  'declined',
  'expired',
] as const satisfies readonly AttemptStatus[];

/** Paid attempts included: too little, mismatched, or once where more may come. */
export const watchedAttemptStatuses = [
  ...unpaidAttemptStatuses,
  'captured',
] as const satisfies readonly AttemptStatus[];

/** Creation has ended and the provider may know of it. */
export const knownAttemptStatuses = [
  ...watchedAttemptStatuses,
  'refused',
] as const satisfies readonly AttemptStatus[];
