import type { RowOf } from '../../shared/columns.ts';
import type { Charge, chargeStatuses } from '../entities/charge.ts';

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
}

type Counted = Pick<
  RowOf<typeof Charge>,
  'status' | 'amount_kobo' | 'fee_kobo' | 'refunded_kobo' | 'occurred_at' | 'failed_at' | 'slot'
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
  if (old && now && isSameDayAndSlot(old, now)) {
    const change = { at: now.at, slot: now.slot, ...plus(now, old, -1) };
    return isZero(change) ? [] : [change];
  }
  return [
    ...(old ? [{ at: old.at, slot: old.slot, ...plus(NOTHING, old, -1) }] : []),
    ...(now ? [now] : []),
  ];
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
    return { ...NOTHING, at: charge.failed_at ?? charge.occurred_at, slot: charge.slot, failed: 1 };
  return {
    at: charge.occurred_at,
    slot: charge.slot,
    succeeded: 1,
    failed: 0,
    collected_kobo: charge.amount_kobo,
    fee_kobo: charge.fee_kobo,
    refunded_kobo: charge.refunded_kobo,
  };
}

function isSameDayAndSlot(one: FigureChange, other: FigureChange): boolean {
  return one.slot === other.slot && one.at.getTime() === other.at.getTime();
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
