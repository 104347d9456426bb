import type { Transitions } from '../../shared/transitions.ts';
import type { captureStatuses } from '../entities/capture.ts';

/**
 * `applied` paid its charge, a `duplicate` is another payment of a paid charge, one `on_hold` waits
 * for a person (too little, or it does not match).
 */
export type CaptureStatus = (typeof captureStatuses)[number];

/**
 * What happens to a payment on hold: its amount increases to the full amount, a person accepts it
 * as the charge's, or its charge does not need it, because a person returned it or another payment
 * was applied.
 */
export type CaptureCause = 'paid in full' | 'accepted' | 'not needed';

/**
 * Where each cause takes a capture. A new one may have any of the statuses; an applied one and a
 * duplicate keep theirs.
 */
export const captureTransitions = {
  on_hold: { 'paid in full': 'applied', accepted: 'applied', 'not needed': 'duplicate' },
  applied: {},
  duplicate: {},
} as const satisfies Transitions<CaptureStatus, CaptureCause>;
