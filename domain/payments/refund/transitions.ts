export const refundStatuses = [
  'requested',
  'approved',
  'processing',
  'completed',
  'failed',
  'rejected',
  'cancelled',
] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/** What can happen to a refund. `sent` comes before the provider is asked: from then on the money may have gone. */
export type RefundFact =
  | 'approved'
  | 'rejected'
  | 'cancelled'
  | 'sent'
  | 'needs attention'
  | 'completed'
  | 'failed';

/**
 * Where each fact takes a refund. A pair that is absent changes nothing: what was decided stays decided, and what ended is over. One
 * that needs a person's attention at the provider is still under way there; one that failed and went through after all has gone.
 */
export const refundTransitions: Record<RefundStatus, Partial<Record<RefundFact, RefundStatus>>> = {
  requested: { approved: 'approved', rejected: 'rejected', cancelled: 'cancelled' },
  approved: { sent: 'processing' },
  processing: { 'needs attention': 'processing', completed: 'completed', failed: 'failed' },
  completed: {},
  failed: { completed: 'completed' },
  rejected: {},
  cancelled: {},
};

/** The status a fact leads to, or undefined when it changes nothing. */
export function decideRefund(status: RefundStatus, fact: RefundFact): RefundStatus | undefined {
  return refundTransitions[status][fact];
}

/** Agreed to, and not known to have ended: the money is going, or may be. */
export const committedRefundStatuses: readonly RefundStatus[] = ['approved', 'processing'];

/** The same, and those that wait for the Owner. With the completed ones they are live: together never more than the charge. */
export const pendingRefundStatuses: readonly RefundStatus[] = [
  'requested',
  ...committedRefundStatuses,
];
