import type { DisabledReason } from '../endpoint/endpoint.ts';
import type { Ending, Try } from './record-tries.ts';
import { type FailedTry, nextTryAt } from './schedule.ts';

/** An endpoint that failed for this long, and never once succeeded, is sent nothing more. */
const FAILING_FOR_MS = 5 * 24 * 3_600_000;

/** What is known of a delivery when its try has ended. */
export interface Judged {
  /** Tries on record before this one, and when the first of them was made. */
  made: number;
  first_at: Date | null;
  /** Of the endpoint. */
  failing_since: Date | null;
}

/** What a try means for its delivery, and for its endpoint. */
export interface Verdict extends Pick<Ending, 'status' | 'dueAt'> {
  succeeded: boolean;
  /** Set: the endpoint is to be disabled, for this reason. */
  disable: DisabledReason | null;
}

/** Success is 2xx and nothing else. `random` is in [0, 1). */
export function judge(
  tried: Try & { retryAfter: string | null },
  delivery: Judged,
  endedAt: Date,
  random: number,
): Verdict {
  const { statusCode, at } = tried;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300)
    return { status: 'delivered', dueAt: null, succeeded: true, disable: null };
  if (statusCode === 410)
    return { status: 'exhausted', dueAt: null, succeeded: false, disable: 'gone' };
  const failed: FailedTry = {
    tries: delivery.made + 1,
    endedAt,
    firstAt: delivery.first_at ?? at,
    retryAfterMs: retryAfterMs(tried, endedAt),
  };
  const dueAt = nextTryAt(failed, random);
  const isLost =
    delivery.failing_since !== null &&
    endedAt.getTime() - delivery.failing_since.getTime() >= FAILING_FOR_MS;
  return {
    status: dueAt ? 'pending' : 'exhausted',
    dueAt,
    succeeded: false,
    disable: isLost ? 'failing' : null,
  };
}

/** `Retry-After` of a 429 or 503: seconds or a date; anything else counts as not said. */
function retryAfterMs(
  { statusCode, retryAfter }: { statusCode: number | null; retryAfter: string | null },
  now: Date,
): number | null {
  if ((statusCode !== 429 && statusCode !== 503) || retryAfter === null) return null;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
