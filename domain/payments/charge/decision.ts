import type { FieldsOf } from '../../shared/columns.ts';
import { follow } from '../../shared/transitions.ts';
import type { KnownCapture, StatedCapture } from '../capture/capture.ts';
import type { CaptureStatus } from '../capture/transitions.ts';
import type { Charge } from '../entities/charge.ts';
import type { ReviewReason } from '../entities/review-reasons.ts';
import type { NewReview } from '../review/row.ts';
import type { TimelineEntry } from '../timeline/timeline.ts';
import { type Cause, type ChargeStatus, chargeTransitions } from './transitions.ts';

type ChargeFields = FieldsOf<typeof Charge>;

/** What the rules need to know of a charge. */
export interface ChargeState
  extends Pick<
    ChargeFields,
    | 'id'
    | 'status'
    | 'mode'
    | 'amountKobo'
    | 'refundedKobo'
    | 'currency'
    | 'connectionId'
    | 'settledAt'
    | 'settlementId'
  > {
  review: readonly ReviewReason[];
  /** Its payments on record, and the stated one where it is another charge's. */
  captures: readonly KnownCapture[];
  /** The payment link it belongs to, and which charge paid that. */
  link: { id: string; paidBy: string | null } | null;
}

/** Columns of the charge that a decision sets. */
export type ChargePatch = Partial<
  Pick<
    ChargeFields,
    | 'feeKobo'
    | 'refundedKobo'
    | 'channel'
    | 'providerReference'
    | 'slot'
    | 'connectionId'
    | 'failureMessage'
    | 'failureCause'
    | 'failedAt'
    | 'occurredAt'
    | 'settledAt'
    | 'settlementId'
    | 'recovered'
    | 'captureId'
  >
>;

export type ChargeEventType = 'charge.succeeded' | 'charge.failed' | 'charge.disputed';

/** What follows from a decision besides the charge's own row. */
export type ChargeEffect =
  | { type: 'record capture'; id: string; status: CaptureStatus; capture: StatedCapture }
  | { type: 'increase capture'; id: string; amountKobo: number; payerFeeKobo: number }
  | { type: 'record capture fee'; id: string; feeKobo: number }
  | { type: 'open review'; review: NewReview }
  | { type: 'resolve review'; reason: ReviewReason; captureId: string }
  /** All of a payment that is not the charge's goes back to its payer without an approval. */
  | { type: 'return duplicate'; captureId: string; paidKobo: number; reason: string }
  | { type: 'cancel refund requests'; reason: string }
  /** What went back of a payment before it was applied counts as refunded now. */
  | { type: 'count earlier refunds' }
  | { type: 'pay link'; linkId: string }
  /** Every attempt a provider may know of is asked about again: money may come late. */
  | { type: 'watch attempts' }
  | { type: 'publish'; event: ChargeEventType }
  | { type: 'append to timeline'; entry: TimelineEntry };

/** What to write. */
export interface ChargeDecision {
  /** The new status; absent: it stays. */
  status?: ChargeStatus;
  patch: ChargePatch;
  /** In the order in which they are written. */
  effects: ChargeEffect[];
  /**
   * Nothing is written when a person was asked the same in the same words before: providers repeat
   * themselves with every answer.
   */
  unlessAsked?: NewReview;
}

/** The timeline's sentence for `pending`. */
export const OPENED = 'The provider opened the payment.';

/** The effects of each status, however the charge comes to it. */
const following: Partial<Record<ChargeStatus, readonly ChargeEffect[]>> = {
  failed: [{ type: 'watch attempts' }, { type: 'publish', event: 'charge.failed' }],
  disputed: [{ type: 'publish', event: 'charge.disputed' }],
  refunded: [{ type: 'cancel refund requests', reason: 'The charge was refunded in full.' }],
};

/**
 * The decision a cause leads to, or undefined where the table has no move for it. `detail` says in
 * a sentence why.
 */
export function move(
  charge: Pick<ChargeState, 'status'>,
  cause: Cause,
  patch: ChargePatch,
  detail: string | null = null,
): ChargeDecision | undefined {
  const status = follow(chargeTransitions, charge.status, cause);
  if (status === undefined) return undefined;
  return { status, patch, effects: enter(status, { detail }) };
}

/** The effects of entering a status: its timeline entry, and what follows. */
export function enter(status: ChargeStatus, entry: Omit<TimelineEntry, 'what'>): ChargeEffect[] {
  return [note(status, entry), ...(following[status] ?? [])];
}

/** The status stays; what the fact carries is written, with a timeline entry. */
export function stay(patch: ChargePatch, what: string, detail: string): ChargeDecision {
  return { patch, effects: [note(what, { detail })] };
}

export function note(what: string, entry: Omit<TimelineEntry, 'what'>): ChargeEffect {
  return { type: 'append to timeline', entry: { what: `charge.${what}`, ...entry } };
}

/**
 * The status stays, and a person looks at what is in question: `captureId` and `amountKobo` where
 * it is a payment.
 */
export function askPerson(
  review: NewReview,
  about: Omit<TimelineEntry, 'what' | 'detail'> = {},
): ChargeDecision {
  const { reason, detail } = review;
  const line = note(reason, { detail, ...about });
  return { patch: {}, effects: [{ type: 'open review', review }, line] };
}

/** The payment that paid the charge; undefined while it is unpaid. */
export function appliedCapture({ id, captures }: ChargeState): KnownCapture | undefined {
  return captures.find((capture) => capture.chargeId === id && capture.status === 'applied');
}

/**
 * All that can go back of a charge, in kobo: the amount asked, or less where a person accepted less
 * as its payment.
 */
export function wholeOf(charge: ChargeState): number {
  return Math.min(charge.amountKobo, appliedCapture(charge)?.amountKobo ?? charge.amountKobo);
}

/**
 * The statuses that facts recorded before their time now lead to: a settlement line or refunds may
 * be reported before the payment itself. Facts lead to the same end in whatever order they come.
 */
export function statusesDueAfter(
  status: ChargeStatus,
  { settledAt, refundedKobo }: Pick<ChargeState, 'settledAt' | 'refundedKobo'>,
  wholeKobo: number,
): ChargeStatus[] {
  const settled = settledAt === null ? undefined : follow(chargeTransitions, status, 'settled');
  const refunded =
    refundedKobo < wholeKobo
      ? undefined
      : follow(chargeTransitions, settled ?? status, 'refunded in full');
  return [settled, refunded].filter((to) => to !== undefined);
}
