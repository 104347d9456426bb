import type { Transitions } from '../../shared/transitions.ts';
import type { chargeStatuses } from '../entities/charge.ts';

export type ChargeStatus = (typeof chargeStatuses)[number];

/** True while a charge waits for its money: it may still be asked about, opened, paid or failed. */
export function isUnpaid(status: ChargeStatus): boolean {
  return status === 'initiated' || status === 'pending';
}

/** True once money paid a charge, whatever became of that money later. */
export function wasPaid(status: ChargeStatus): boolean {
  return !isUnpaid(status) && status !== 'failed';
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
 * Where each cause takes a charge: the table of the API's specification ("States and transitions"),
 * and two moves beyond it: `failed` to `succeeded`, because late money is never dropped, and out of
 * `refunded` where the money came back. A pair that is absent leaves the status as it is.
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
  refunded: {
    'refund came back': 'succeeded',
    'refund came back after settlement': 'settled',
  },
} as const satisfies Transitions<ChargeStatus, Cause>;
