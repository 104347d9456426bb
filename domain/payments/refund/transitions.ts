import type { Transitions } from '../../shared/transitions.ts';
import type { refundStatuses } from '../entities/refund.ts';

/**
 * `sending`: the money may go. `unconfirmed`: nobody knows whether the provider took it.
 * `unresolved`: also, until a person looks. `needs_attention`: the provider has it and waits for a
 * person. `reappeared`: it failed, and its provider shows it in progress.
 */
export type RefundStatus = (typeof refundStatuses)[number];

export type RefundCause =
  | 'approved'
  | 'rejected'
  | 'cancelled'
  | 'sent'
  | 'not reached'
  | 'no answer'
  | 'unclear'
  | 'needs clearing up'
  | 'accepted'
  | 'needs attention'
  | 'completed'
  | 'failed'
  | 'came back'
  | 'sent again'
  | 'not finished in time'
  | 'recorded twice';

const ending = { completed: 'completed', failed: 'failed' } as const;
const taken = { accepted: 'processing', 'needs attention': 'needs_attention', ...ending } as const;
/** One recorded as begun at the provider may be ours. */
const second = { 'recorded twice': 'cancelled' } as const;

/**
 * Decisions stay. A failed refund may complete after all; a completed one fails where the money
 * comes back.
 */
export const refundTransitions = {
  requested: { approved: 'approved', rejected: 'rejected', cancelled: 'cancelled' },
  approved: { sent: 'sending', ...taken },
  sending: {
    'not reached': 'approved',
    'no answer': 'unconfirmed',
    unclear: 'unconfirmed',
    'needs clearing up': 'unresolved',
    ...taken,
    ...second,
  },
  unconfirmed: {
    'needs clearing up': 'unresolved',
    'not finished in time': 'unresolved',
    ...taken,
    ...second,
  },
  unresolved: { unclear: 'unconfirmed', 'sent again': 'approved', ...taken, ...second },
  processing: {
    'needs attention': 'needs_attention',
    'not finished in time': 'needs_attention',
    ...ending,
    ...second,
  },
  needs_attention: { accepted: 'processing', ...ending, ...second },
  completed: { 'came back': 'failed', ...second },
  failed: {
    accepted: 'reappeared',
    'needs attention': 'reappeared',
    completed: 'completed',
    ...second,
  },
  reappeared: { 'not finished in time': 'failed', ...ending, ...second },
  rejected: {},
  cancelled: {},
} as const satisfies Transitions<RefundStatus, RefundCause>;

export const unacknowledgedRefundStatuses = [
  'sending',
  'unconfirmed',
  'unresolved',
] as const satisfies readonly RefundStatus[];

/** The money may be going. */
export const sentRefundStatuses = [
  ...unacknowledgedRefundStatuses,
  'processing',
  'needs_attention',
  'reappeared',
] as const satisfies readonly RefundStatus[];

/** Not known to have ended. */
export const committedRefundStatuses = [
  'approved',
  ...sentRefundStatuses,
] as const satisfies readonly RefundStatus[];

/** With the completed ones they never add up to more than the charge. */
export const pendingRefundStatuses = [
  'requested',
  ...committedRefundStatuses,
] as const satisfies readonly RefundStatus[];

export function isUnacknowledged(status: RefundStatus): boolean {
  return (unacknowledgedRefundStatuses as readonly RefundStatus[]).includes(status);
}

export function needsPerson(status: RefundStatus): boolean {
  return status === 'unresolved' || status === 'needs_attention';
}

export function isSent(status: RefundStatus): boolean {
  return (sentRefundStatuses as readonly RefundStatus[]).includes(status);
}
