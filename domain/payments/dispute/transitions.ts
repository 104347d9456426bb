import type { Transitions } from '../../shared/transitions.ts';
import type { disputeStatuses } from '../entities/dispute.ts';

export type DisputeStatus = (typeof disputeStatuses)[number];

/**
 * Where a dispute goes when its provider, or an operator, says how it ended. What was decided stays
 * decided.
 */
export const disputeTransitions = {
  open: { won: 'won', lost: 'lost' },
  won: {},
  lost: {},
} as const satisfies Transitions<DisputeStatus, Exclude<DisputeStatus, 'open'>>;
