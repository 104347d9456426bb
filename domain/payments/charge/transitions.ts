export const chargeStatuses = [
  'initiated',
  'pending',
  'succeeded',
  'settled',
  'failed',
  'refunded',
  'disputed',
] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];

/** True while a charge waits for its money: it may still be asked about, opened, paid or failed. */
export function isUnpaid(status: ChargeStatus): boolean {
  return status === 'initiated' || status === 'pending';
}

/** What a fact amounts to for a charge: the columns of the table below. */
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
 * Where each cause takes a charge. A pair that is absent leaves the status alone: facts may repeat and arrive in any order.
 * The contract's table, with one move beyond it: late money after `failed` is never dropped.
 */
export const chargeTransitions: Record<ChargeStatus, Partial<Record<Cause, ChargeStatus>>> = {
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
};

/** Why a person should look at a charge. */
export const reviewReasons = [
  'underpaid',
  'overpaid',
  'extra_capture',
  'capture_mismatch',
  'unknown_status',
  'link_paid_before',
  'dispute',
] as const;
export type ReviewReason = (typeof reviewReasons)[number];

/** What the rules need to know of a charge. */
export interface ChargeState {
  status: ChargeStatus;
  mode: string;
  amountKobo: number;
  refundedKobo: number;
  currency: string;
  connectionId: string;
  settledAt: Date | null;
  settlementId: string | null;
  review: readonly ReviewReason[];
  /** True once a capture is the charge's own. */
  hasAppliedCapture: boolean;
  /** What that capture is: less than was asked where a person accepted that. The amount asked while there is none. */
  paidKobo: number;
}

/** `kept` is the charge's own money, `extra` came on top of it, `held` waits for a person (too little, or it does not match). */
export type CaptureStatus = 'applied' | 'duplicate' | 'on_hold';

/** Columns of the charge that a decision sets. */
export interface ChargePatch {
  feeKobo?: number;
  refundedKobo?: number;
  channel?: string;
  providerReference?: string;
  slot?: string;
  connectionId?: string;
  failureMessage?: string | null;
  failureCause?: string | null;
  occurredAt?: Date;
  settledAt?: Date;
  settlementId?: string;
  recovered?: true;
}

export type ChargeEventType = 'charge.succeeded' | 'charge.failed' | 'charge.disputed';

/** What to write. */
export interface Decision {
  /** The statuses passed through, the last one final; empty when the status stays. */
  moves: ChargeStatus[];
  patch: ChargePatch;
  review: ReviewReason[];
  captureStatus?: CaptureStatus;
  /** A line for the timeline about what no move says. */
  note?: { what: string; detail: string };
  event?: ChargeEventType;
}

/** The decision a cause leads to, or undefined where the table has no move for it. */
export function move(
  charge: Pick<ChargeState, 'status'>,
  cause: Cause,
  patch: ChargePatch,
): Decision | undefined {
  const to = chargeTransitions[charge.status][cause];
  if (to === undefined) return undefined;
  const decision: Decision = { moves: [to], patch, review: [] };
  if (to === 'failed') decision.event = 'charge.failed';
  if (to === 'disputed') decision.event = 'charge.disputed';
  return decision;
}

/** Nothing moves, but what the fact carries is written, with a line that says so. */
export function stay(
  patch: ChargePatch,
  what: string,
  detail: string,
  review: ReviewReason[] = [],
): Decision {
  return { moves: [], patch, review, note: { what: `charge.${what}`, detail } };
}

/**
 * The moves that facts recorded before their time now allow: a settlement line or refunds may be told before the payment itself. Facts
 * lead to the same end in whatever order they come.
 */
export function movesDueAfter(
  status: ChargeStatus,
  charge: Pick<ChargeState, 'settledAt' | 'refundedKobo' | 'amountKobo' | 'paidKobo'>,
): ChargeStatus[] {
  const settled = charge.settledAt === null ? undefined : chargeTransitions[status].settled;
  const refunded =
    charge.refundedKobo < wholeOf(charge)
      ? undefined
      : chargeTransitions[settled ?? status]['refunded in full'];
  return [settled, refunded].filter((to) => to !== undefined);
}

/** All that can go back of a charge, in kobo: the amount asked, or less where a person accepted less as its payment. */
export function wholeOf({
  amountKobo,
  paidKobo,
}: Pick<ChargeState, 'amountKobo' | 'paidKobo'>): number {
  return Math.min(amountKobo, paidKobo);
}
