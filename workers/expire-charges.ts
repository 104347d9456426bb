import type { Context } from '../config/context.ts';
import {
  type EndColumn,
  type EndPosition,
  endedCharges,
  FIRST_END,
} from '../domain/payments/attempt/ended-charges.ts';
import { expireWhenAnswered } from '../domain/payments/facts/expire-charge.ts';

export const LOOKED_AT_ONCE = 2_000;
const CONCURRENT_CHARGES = 8;
/** A walk begins anew after this: a person may have decided on a charge, or one have failed. */
const ANEW_MS = 10 * 60_000;

/**
 * A process's walk through charges past their end: one whose provider is silent is looked at once
 * in a walk, so that 100,000 of them behind a revoked key delay nobody else's.
 */
export type ExpiryWalk = { beganAt: Date | undefined; positions: Record<EndColumn, EndPosition> };

export const newExpiryWalk = (): ExpiryWalk => ({
  beganAt: undefined,
  positions: { expires_at: FIRST_END, cancel_requested_at: FIRST_END },
});

/** Expires the charges of the walk's next part. Returns how many, and whether more may follow. */
export async function expireNext(context: Context, walk: ExpiryWalk, column: EndColumn) {
  const now = context.clock();
  const page = await endedCharges(
    { sql: context.db, now },
    column,
    walk.positions[column],
    LOOKED_AT_ONCE,
  );
  const ids = page.ids.values();
  const lanes = Array.from({ length: CONCURRENT_CHARGES }, () => expireInTurn(context, ids));
  const counts = await Promise.all(lanes);
  walk.positions[column] = page.next;
  return { count: counts.reduce((sum, expired) => sum + expired, 0), isFull: page.isFull };
}

export function renewWalk(walk: ExpiryWalk, now: Date): void {
  if (walk.beganAt && now.getTime() - walk.beganAt.getTime() < ANEW_MS) return;
  Object.assign(walk, newExpiryWalk(), { beganAt: now });
}

/** A charge that cannot be expired is logged and keeps no other from it. */
async function expireInTurn({ inTx, log }: Context, ids: IteratorObject<string>): Promise<number> {
  let expired = 0;
  for (const id of ids) {
    try {
      await inTx((tx) => expireWhenAnswered(tx, id));
      expired++;
    } catch (error) {
      log.error('charge not expired', { charge: id, error: (error as Error).message });
    }
  }
  return expired;
}
