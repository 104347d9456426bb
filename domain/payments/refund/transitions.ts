import type { Transitions } from '../../shared/transitions.ts';
import type { refundStatuses } from '../entities/refund.ts';

/**
 * `sending`: a worker asks the provider, so the money may go. `unconfirmed`: whether the provider
 * took it is not known yet. `unresolved`: the same, until a person looks at the provider.
 * `processing`: the provider has it. `needs_attention`: the provider has it, and does nothing
 * until a person acts there. `reappeared`: it failed, and its provider shows it in progress.
 */
export type RefundStatus = (typeof refundStatuses)[number];

/** Why the status of a refund changes. */
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
/** A refund recorded as begun at the provider may turn out to be one of ours, recorded twice. */
const second = { 'recorded twice': 'cancelled' } as const;

/**
 * Where each cause takes a refund. What was decided stays decided. One that failed and went through
 * after all is completed: the money went back. One that was completed, and whose money the payer's
 * bank sent back, failed.
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

/** Sent, and the provider has not confirmed that it took it. */
export const unacknowledgedRefundStatuses = [
  'sending',
  'unconfirmed',
  'unresolved',
] as const satisfies readonly RefundStatus[];

/**
 * The money may be going: the provider was asked, or is about to be, and the refund has not ended.
 */
export const sentRefundStatuses = [
  ...unacknowledgedRefundStatuses,
  'processing',
  'needs_attention',
  'reappeared',
] as const satisfies readonly RefundStatus[];

/** Approved, and not known to have ended. */
export const committedRefundStatuses = [
  'approved',
  ...sentRefundStatuses,
] as const satisfies readonly RefundStatus[];

/**
 * The same, and those that wait for an Owner. With the completed ones they never add up to more
 * than the charge.
 */
export const pendingRefundStatuses = [
  'requested',
  ...committedRefundStatuses,
] as const satisfies readonly RefundStatus[];

/** True where it was sent and the provider has not confirmed that it took it. */
export function isUnacknowledged(status: RefundStatus): boolean {
  return (unacknowledgedRefundStatuses as readonly RefundStatus[]).includes(status);
}

/** True while it waits for a person to act. */
export function needsPerson(status: RefundStatus): boolean {
  return status === 'unresolved' || status === 'needs_attention';
}

/** True while the provider is asked about it. */
export function isSent(status: RefundStatus): boolean {
  return (sentRefundStatuses as readonly RefundStatus[]).includes(status);
}
