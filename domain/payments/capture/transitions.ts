import type { Transitions } from '../../shared/transitions.ts';
import type { captureStatuses } from '../entities/capture.ts';

/**
 * `applied` paid its charge, a `duplicate` came on top of it, one `on_hold` waits for a person (too
 * little, or it does not match).
 */
export type CaptureStatus = (typeof captureStatuses)[number];

/**
 * `grown` to the whole amount, or a person accepts it; `set aside`: the charge will not be paid
 * with it.
 */
export type CaptureFact = 'grown to the whole' | 'accepted' | 'set aside';

/**
 * Where each fact takes a capture. It is recorded in any of the statuses; what paid its charge
 * stays that, and so does a duplicate.
 */
export const captureTransitions = {
  on_hold: { 'grown to the whole': 'applied', accepted: 'applied', 'set aside': 'duplicate' },
  applied: {},
  duplicate: {},
} as const satisfies Transitions<CaptureStatus, CaptureFact>;
