import { DAY_MS } from '../../shared/units.ts';
import type { DisabledReason } from '../endpoint/disable.ts';
import type { EndpointRow } from '../endpoint/secrets.ts';
import { type FailedTry, nextTryAt } from './schedule.ts';

/** Without a single success. */
const FAILING_FOR_MS = 5 * DAY_MS;

export interface DeliveryFacts extends Pick<EndpointRow, 'failing_since'> {
  /** Before this try. */
  made: number;
  first_at: Date | null;
}

export interface TryAnswer {
  at: Date;
  statusCode: number | null;
  retryAfter: string | null;
}

export interface TryDecision {
  status: 'pending' | 'delivered' | 'exhausted';
  dueAt: Date | null;
  succeeded: boolean;
  disable: DisabledReason | null;
}

/** Only 2xx is success. `random` is in [0, 1). */
export function decideTry(
  tried: TryAnswer,
  delivery: DeliveryFacts,
  endedAt: Date,
  random: number,
): TryDecision {
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
  return {
    status: dueAt ? 'pending' : 'exhausted',
    dueAt,
    succeeded: false,
    disable: hasFailedForLong(delivery, endedAt) ? 'failing' : null,
  };
}

const hasFailedForLong = ({ failing_since: since }: DeliveryFacts, now: Date): boolean =>
  since !== null && now.getTime() - since.getTime() >= FAILING_FOR_MS;

/** A 429 or 503 may state seconds or a date. */
function retryAfterMs({ statusCode, retryAfter }: TryAnswer, now: Date): number | null {
  if ((statusCode !== 429 && statusCode !== 503) || retryAfter === null) return null;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
