import type { Context } from '../config/context.ts';
import {
  type EndColumn,
  type EndPosition,
  endedCharges,
  FIRST_END,
} from '../domain/payments/attempt/ended-charges.ts';
import { expireTogether, expireWhenAnswered } from '../domain/payments/facts/expire-charge.ts';

export const LOOKED_AT_ONCE = 2_000;
/** Short enough that nobody waits long for the lock of a charge. */
const EXPIRED_TOGETHER = 50;
const CONCURRENT_GROUPS = 4;
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
  const groups = Map.groupBy(page.ids, (_, n) => Math.floor(n / EXPIRED_TOGETHER)).values();
  const lanes = Array.from({ length: CONCURRENT_GROUPS }, () => expireInTurn(context, groups));
  const counts = await Promise.all(lanes);
  walk.positions[column] = page.next;
  return { count: counts.reduce((sum, expired) => sum + expired, 0), isFull: page.isFull };
}

export function renewWalk(walk: ExpiryWalk, now: Date): void {
  if (walk.beganAt && now.getTime() - walk.beganAt.getTime() < ANEW_MS) return;
  Object.assign(walk, newExpiryWalk(), { beganAt: now });
}

async function expireInTurn(context: Context, groups: IteratorObject<string[]>): Promise<number> {
  let expired = 0;
  for (const ids of groups) {
    // What cannot be expired together, or is locked by others, is expired one by one.
    const left = await context.inTx((tx) => expireTogether(tx, ids)).catch(() => ids);
    expired += ids.length - left.length;
    for (const id of left) expired += Number(await expireAlone(context, id));
  }
  return expired;
}

/** A charge that cannot be expired is logged and keeps no other from it. */
async function expireAlone({ inTx, log }: Context, id: string): Promise<boolean> {
  try {
    await inTx((tx) => expireWhenAnswered(tx, id));
    return true;
  } catch (error) {
    log.error('charge not expired', { charge: id, error: (error as Error).message });
    return false;
  }
}
