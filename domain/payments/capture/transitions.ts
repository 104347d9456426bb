import type { Transitions } from '../../shared/transitions.ts';
import type { captureStatuses } from '../entities/capture.ts';

/** `duplicate`: another payment of a paid charge. `on_hold` waits for a person. */
export type CaptureStatus = (typeof captureStatuses)[number];

export type CaptureCause = 'paid in full' | 'accepted' | 'not needed';

/** A new capture may have any status; only one on hold changes it. */
export const captureTransitions = {
  on_hold: { 'paid in full': 'applied', accepted: 'applied', 'not needed': 'duplicate' },
  applied: {},
  duplicate: {},
} as const satisfies Transitions<CaptureStatus, CaptureCause>;
