import type { Transitions } from '../../shared/transitions.ts';

export const refundStatuses = [
  'requested',
  'approved',
  'sending',
  'unconfirmed',
  'processing',
  'needs_attention',
  'completed',
  'failed',
  'reappeared',
  'rejected',
  'cancelled',
] as const;

/**
 * `sending`: a worker asks the provider, so the money may go. `unconfirmed`: nobody knows whether the provider took it. `processing`: the
 * provider has it. `needs_attention`: it stands still until a person acts. `reappeared`: it failed, and its provider shows it under way.
 */
export type RefundStatus = (typeof refundStatuses)[number];

/** What can happen to a refund. */
export type RefundFact =
  | 'approved'
  | 'rejected'
  | 'cancelled'
  | 'sent'
  | 'not reached'
  | 'unclear'
  | 'accepted'
  | 'needs attention'
  | 'completed'
  | 'failed'
  | 'sent again'
  | 'not finished in time'
  | 'found twice';

const ending = { completed: 'completed', failed: 'failed' } as const;
const taken = { accepted: 'processing', 'needs attention': 'needs_attention', ...ending } as const;
/** What was taken in as begun at the provider may turn out to be one of ours. */
const twin = { 'found twice': 'cancelled' } as const;

/**
 * Where each fact takes a refund. What was decided stays decided. One that failed and went through after all has completed: the money has
 * gone.
 */
export const refundTransitions = {
  requested: { approved: 'approved', rejected: 'rejected', cancelled: 'cancelled' },
  approved: { sent: 'sending', ...taken },
  sending: { 'not reached': 'approved', unclear: 'unconfirmed', ...taken, ...twin },
  unconfirmed: { 'sent again': 'approved', ...taken, ...twin },
  processing: {
    'needs attention': 'needs_attention',
    'not finished in time': 'needs_attention',
    ...ending,
    ...twin,
  },
  needs_attention: {
    accepted: 'processing',
    'sent again': 'approved',
    ...ending,
    ...twin,
  },
  completed: { ...twin },
  failed: {
    accepted: 'reappeared',
    'needs attention': 'reappeared',
    completed: 'completed',
    ...twin,
  },
  reappeared: { 'not finished in time': 'failed', ...ending, ...twin },
  rejected: {},
  cancelled: {},
} as const satisfies Transitions<RefundStatus, RefundFact>;

/** The money may be going, or will: the provider was asked, or is about to be, and the refund has not ended. */
export const askedRefundStatuses = [
  'sending',
  'unconfirmed',
  'processing',
  'needs_attention',
  'reappeared',
] as const satisfies readonly RefundStatus[];

/** Agreed to, and not known to have ended. */
export const committedRefundStatuses = [
  'approved',
  ...askedRefundStatuses,
] as const satisfies readonly RefundStatus[];

/** The same, and those that wait for the Owner. With the completed ones they are live: together never more than the charge. */
export const pendingRefundStatuses = [
  'requested',
  ...committedRefundStatuses,
] as const satisfies readonly RefundStatus[];
