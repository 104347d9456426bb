import type { Transitions } from '../../shared/transitions.ts';
import type { attemptStatuses } from '../entities/attempt.ts';

/**
 * `queued`: surely not sent. `sending`: a worker asks the provider. `unconfirmed`: it is not known
 * whether the provider has it. `open`: its link reached us. `lost`: the provider may have it, but
 * its link did not reach us. `cancelled`: never sent, for its charge was over.
 */
export type AttemptStatus = (typeof attemptStatuses)[number];

/** Why the status of one hosted payment at one provider changes. */
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

/**
 * Where each cause takes an attempt. Money may come late on every attempt that ever reached a
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
} as const satisfies Transitions<AttemptStatus, AttemptCause>;

/** The payment does not exist at the provider yet, or its creation is not confirmed. */
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
 * The same without those that surely never reached a provider: a charge does not fail before the
 * provider was asked about each of them.
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
 * The same and those that were paid: too little, with money that does not match, or once where more
 * may come.
 */
export const watchedAttemptStatuses = [
  ...unpaidAttemptStatuses,
  'captured',
] as const satisfies readonly AttemptStatus[];

/**
 * Creation has ended and the provider may know of the attempt: checks ask about these.
 */
export const knownAttemptStatuses = [
  ...watchedAttemptStatuses,
  'refused',
] as const satisfies readonly AttemptStatus[];
