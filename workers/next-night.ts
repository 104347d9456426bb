import { DAY_MS, MINUTE_MS } from '../domain/shared/units.ts';

/** Half past two at night in Lagos: few people pay, and the day's payouts have not landed yet. */
const AT_UTC_MS = 90 * MINUTE_MS;

/** When what is done once a night is due next. */
export function nextNight(now: Date): Date {
  const days = Math.floor((now.getTime() - AT_UTC_MS) / DAY_MS) + 1;
  return new Date(days * DAY_MS + AT_UTC_MS);
}
