import type { Transitions } from '../../shared/transitions.ts';
import type { chargeStatuses } from '../entities/charge.ts';

export type ChargeStatus = (typeof chargeStatuses)[number];

/** True while a charge waits for its money: it may still be asked about, opened, paid or failed. */
export function isUnpaid(status: ChargeStatus): boolean {
  return status === 'initiated' || status === 'pending';
}

/** What a fact means for the status of a charge: the columns of the table below. */
export type Cause =
  | 'opened'
  | 'paid'
  | 'refused'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'settled'
  | 'refunded in full'
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
 * Where each cause takes a charge: the table of the API's specification ("States and transitions"),
 * and one move beyond it, `failed` to `succeeded`, because late money is never dropped. A pair that
 * is absent leaves the status as it is.
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
  refunded: {},
} as const satisfies Transitions<ChargeStatus, Cause>;
