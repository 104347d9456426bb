import type { Transitions } from '../../shared/transitions.ts';
import type { disputeStatuses } from '../entities/dispute.ts';

export type DisputeStatus = (typeof disputeStatuses)[number];

export const disputeTransitions = {
  open: { won: 'won', lost: 'lost' },
  won: {},
  lost: {},
} as const satisfies Transitions<DisputeStatus, Exclude<DisputeStatus, 'open'>>;
