import { DateTime } from 'luxon';

/** Days as Nigeria's banks count them. */

/** A moment by the clocks of Lagos. */
export function inLagos(moment: Date): DateTime {
  return DateTime.fromJSDate(moment, { zone: 'Africa/Lagos' });
}

/** The day a moment falls on in Lagos, as an ISO date. */
export function lagosDay(moment: Date): string {
  return inLagos(moment).toFormat('yyyy-MM-dd');
}

/**
 * The first day after a moment's own that is no Saturday or Sunday, as an ISO date. Public holidays
 * are not known.
 */
export function nextBusinessDay(moment: Date): string {
  let day = inLagos(moment).plus({ days: 1 });
  while (day.isWeekend) day = day.plus({ days: 1 });
  return day.toFormat('yyyy-MM-dd');
}

const DAY_MS = 24 * 3_600_000;

/** The ISO date so many days after a day; before it where `days` is negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
