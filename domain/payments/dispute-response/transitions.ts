import type { Transitions } from '../../shared/transitions.ts';
import type { disputeResponseStatuses } from '../entities/dispute-response.ts';

export type DisputeResponseStatus = (typeof disputeResponseStatuses)[number];

export type DisputeResponseCause = 'approved' | 'begun' | 'not reached' | 'accepted' | 'refused';

export const disputeResponseTransitions = {
  requested: { approved: 'waiting', refused: 'refused' },
  waiting: { begun: 'sending', refused: 'refused' },
  sending: { begun: 'sending', 'not reached': 'waiting', accepted: 'sent', refused: 'refused' },
  sent: {},
  refused: {},
} as const satisfies Transitions<DisputeResponseStatus, DisputeResponseCause>;
