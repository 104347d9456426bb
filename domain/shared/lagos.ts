import { DateTime, FixedOffsetZone } from 'luxon';
import { DAY_MS } from './units.ts';

/** Days as banks in Nigeria count them. */

/** Lagos is an hour ahead of UTC all year. To look that up takes ten times as long as to use it. */
const LAGOS = FixedOffsetZone.instance(60);

/** A moment by the clocks of Lagos. */
export function inLagos(moment: Date): DateTime {
  return DateTime.fromJSDate(moment, { zone: LAGOS });
}

/** The day a moment falls on in Lagos, as an ISO date. */
export function lagosDay(moment: Date): string {
  return inLagos(moment).toFormat('yyyy-MM-dd');
}

/**
 * The first day after the moment's day that is not a Saturday or Sunday, as an ISO date. Public
 * holidays are not taken into account.
 */
export function nextBusinessDay(moment: Date): string {
  let day = inLagos(moment).plus({ days: 1 });
  while (day.isWeekend) day = day.plus({ days: 1 });
  return day.toFormat('yyyy-MM-dd');
}

/** The ISO date `days` after a day, or before it where `days` is negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
