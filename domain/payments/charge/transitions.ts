import type { Transitions } from '../../shared/transitions.ts';
import type { chargeStatuses } from '../entities/charge.ts';

export type ChargeStatus = (typeof chargeStatuses)[number];

export function isUnpaid(status: ChargeStatus): boolean {
  return status === 'initiated' || status === 'pending';
}

/** Whatever became of the money later. */
export function wasPaid(status: ChargeStatus): boolean {
  return !isUnpaid(status) && status !== 'failed';
}

export type Cause =
  | 'opened'
  | 'paid'
  | 'refused'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'settled'
  | 'refunded in full'
  | 'refund came back'
  | 'refund came back after settlement'
  | 'dispute opened'
  | 'dispute won'
  | 'dispute won after settlement'
  | 'dispute lost';

const failing = {
  refused: 'failed',
  declined: 'failed',
  expired: 'failed',
  cancelled: 'failed',
} as const;

/**
 * The table of the API's specification ("States and transitions"), and two moves beyond it: late
 * money is never dropped (`failed`), and what was refunded may come back.
 */
export const chargeTransitions = {
  initiated: { opened: 'pending', paid: 'succeeded', ...failing },
  pending: { paid: 'succeeded', ...failing },
  succeeded: { settled: 'settled', 'refunded in full': 'refunded', 'dispute opened': 'disputed' },
  settled: { 'refunded in full': 'refunded', 'dispute opened': 'disputed' },
  failed: { paid: 'succeeded' },
  disputed: {
    'dispute won': 'succeeded',
    'dispute won after settlement': 'settled',
    'dispute lost': 'refunded',
  },
  refunded: { 'refund came back': 'succeeded', 'refund came back after settlement': 'settled' },
} as const satisfies Transitions<ChargeStatus, Cause>;
