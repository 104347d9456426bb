import type { RowOf } from '../../shared/columns.ts';
import type { Charge, chargeStatuses } from '../entities/charge.ts';
import type { DailyFigures } from '../entities/figures.ts';

/** Kobo. */
export interface Figures {
  succeeded: number;
  failed: number;
  collected_kobo: number;
  fee_kobo: number;
  refunded_kobo: number;
}

/** Its day is that of `at`, in the tenant's zone then. */
export interface FigureChange extends Figures {
  at: Date;
  slot: string;
  channel: RowOf<typeof DailyFigures>['channel'];
}

type Counted = Pick<
  RowOf<typeof Charge>,
  | 'status'
  | 'amount_kobo'
  | 'fee_kobo'
  | 'refunded_kobo'
  | 'occurred_at'
  | 'first_failed_at'
  | 'slot'
  | 'channel'
>;

const counts: Record<(typeof chargeStatuses)[number], 'succeeded' | 'failed' | null> = {
  initiated: null,
  pending: null,
  succeeded: 'succeeded',
  settled: 'succeeded',
  refunded: 'succeeded',
  disputed: 'succeeded',
  failed: 'failed',
};

/**
 * Takes off what a charge counted for and adds what it counts for now, so that the sum of all
 * changes is always what the charges add up to.
 */
export function figureChanges(before: Counted, after: Counted): FigureChange[] {
  const [old, now] = [figuresOf(before), figuresOf(after)];
  if (old && now && isSameSource(old, now)) {
    const { at, slot, channel } = now;
    const change = { at, slot, channel, ...plus(now, old, -1) };
    return isZero(change) ? [] : [change];
  }
  return [...(old ? [{ ...old, ...plus(NOTHING, old, -1) }] : []), ...(now ? [now] : [])];
}

const NOTHING: Figures = {
  succeeded: 0,
  failed: 0,
  collected_kobo: 0,
  fee_kobo: 0,
  refunded_kobo: 0,
};

function figuresOf(charge: Counted): FigureChange | undefined {
  const counted = counts[charge.status];
  if (counted === null) return undefined;
  if (counted === 'failed')
    return {
      ...{ at: charge.first_failed_at ?? charge.occurred_at, slot: charge.slot, channel: 'none' },
      ...{ ...NOTHING, failed: 1 },
    };
  return {
    at: charge.occurred_at,
    slot: charge.slot,
    channel: charge.channel ?? 'other',
    succeeded: 1,
    failed: 0,
    collected_kobo: charge.amount_kobo,
    fee_kobo: charge.fee_kobo,
    refunded_kobo: charge.refunded_kobo,
  };
}

function isSameSource(one: FigureChange, other: FigureChange): boolean {
  const isSamePlace = one.slot === other.slot && one.channel === other.channel;
  return isSamePlace && one.at.getTime() === other.at.getTime();
}

function plus(one: Figures, other: Figures, sign: 1 | -1): Figures {
  return {
    succeeded: one.succeeded + sign * other.succeeded,
    failed: one.failed + sign * other.failed,
    collected_kobo: one.collected_kobo + sign * other.collected_kobo,
    fee_kobo: one.fee_kobo + sign * other.fee_kobo,
    refunded_kobo: one.refunded_kobo + sign * other.refunded_kobo,
  };
}

function isZero(figures: Figures): boolean {
  return Object.keys(NOTHING).every((name) => figures[name as keyof Figures] === 0);
}
