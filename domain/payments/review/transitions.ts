import type { Transitions } from '../../shared/transitions.ts';
import type { reviewStatuses } from '../entities/review.ts';

export type ReviewStatus = (typeof reviewStatuses)[number];

export const reviewDecisions = ['accepted', 'returned'] as const satisfies ReviewStatus[];
export type ReviewDecision = (typeof reviewDecisions)[number];

/** A decided review stays decided. `resolved`: nothing was left to decide. */
export const reviewTransitions = {
  open: { accepted: 'accepted', returned: 'returned', resolved: 'resolved' },
  accepted: {},
  returned: {},
  resolved: {},
} as const satisfies Transitions<ReviewStatus, ReviewDecision | 'resolved'>;
