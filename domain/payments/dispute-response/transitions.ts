import type { Transitions } from '../../shared/transitions.ts';
import type { disputeResponseStatuses } from '../entities/dispute-response.ts';

export type DisputeResponseStatus = (typeof disputeResponseStatuses)[number];

export type DisputeResponseCause = 'begun' | 'not reached' | 'accepted' | 'refused';

export const disputeResponseTransitions = {
  waiting: { begun: 'sending', refused: 'refused' },
  sending: { begun: 'sending', 'not reached': 'waiting', accepted: 'sent', refused: 'refused' },
  sent: {},
  refused: {},
} as const satisfies Transitions<DisputeResponseStatus, DisputeResponseCause>;
