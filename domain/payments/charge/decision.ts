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
    | 'retrying'
  > {
  review: readonly ReviewReason[];
  /** And the stated one where it is another charge's. */
  captures: readonly KnownCapture[];
  link: { id: string; paidBy: string | null } | null;
}

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
    | 'firstFailedAt'
    | 'occurredAt'
    | 'settledAt'
    | 'settlementId'
    | 'recovered'
    | 'captureId'
    | 'retrying'
  >
>;

export type ChargeEventType = 'charge.succeeded' | 'charge.failed' | 'charge.disputed';

/** By event, the endpoints that want to know of it, where they have been read. */
export type EndpointIds = Partial<Record<ChargeEventType, readonly string[]>>;

export type ChargeEffect =
  | { type: 'record capture'; id: string; status: CaptureStatus; capture: StatedCapture }
  | { type: 'increase capture'; id: string; amountKobo: number; payerFeeKobo: number }
  | { type: 'record capture fee'; id: string; feeKobo: number }
  | { type: 'open review'; review: NewReview }
  | { type: 'resolve review'; reason: ReviewReason; captureId: string }
  | { type: 'return duplicate'; captureId: string; paidKobo: number; reason: string }
  | { type: 'cancel refund requests'; reason: string }
  | { type: 'count earlier refunds' }
  | { type: 'pay link'; linkId: string }
  /** Money may come late. */
  | { type: 'watch attempts' }
  | { type: 'publish'; event: ChargeEventType }
  | { type: 'append to timeline'; entry: TimelineEntry };

export interface ChargeDecision {
  status?: ChargeStatus;
  patch: ChargePatch;
  effects: ChargeEffect[];
  /** Nothing is written when a person was asked this before: providers repeat themselves. */
  unlessAsked?: NewReview;
}

export const OPENED = 'The provider opened the payment.';

/** However the charge comes to it. */
const following: Partial<Record<ChargeStatus, readonly ChargeEffect[]>> = {
  failed: [{ type: 'watch attempts' }, { type: 'publish', event: 'charge.failed' }],
  disputed: [{ type: 'publish', event: 'charge.disputed' }],
  refunded: [{ type: 'cancel refund requests', reason: 'The charge was refunded in full.' }],
};

/** Undefined: the table has no move. */
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

export function enter(status: ChargeStatus, entry: Omit<TimelineEntry, 'what'>): ChargeEffect[] {
  return [note(status, entry), ...(following[status] ?? [])];
}

export function stay(patch: ChargePatch, what: string, detail: string): ChargeDecision {
  return { patch, effects: [note(what, { detail })] };
}

export function note(what: string, entry: Omit<TimelineEntry, 'what'>): ChargeEffect {
  return { type: 'append to timeline', entry: { what: `charge.${what}`, ...entry } };
}

export function recordCapture(capture: StatedCapture, status: CaptureStatus): ChargeEffect {
  return { type: 'record capture', id: capture.captureId, status, capture };
}

export function about({ amountKobo, attemptId }: StatedCapture) {
  return { amountKobo, attemptId };
}

export function askPerson(
  review: NewReview,
  about: Omit<TimelineEntry, 'what' | 'detail'> = {},
): ChargeDecision {
  const { reason, detail } = review;
  const line = note(reason, { detail, ...about });
  return { patch: {}, effects: [{ type: 'open review', review }, line] };
}

export function appliedCapture({ id, captures }: ChargeState): KnownCapture | undefined {
  return captures.find((capture) => capture.chargeId === id && capture.status === 'applied');
}

/** In kobo; less than the amount where a person accepted less. */
export function wholeOf(charge: ChargeState): number {
  return Math.min(charge.amountKobo, appliedCapture(charge)?.amountKobo ?? charge.amountKobo);
}

/** Facts recorded before their time count now: they lead to one end in whatever order they come. */
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
