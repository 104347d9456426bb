import { DateTime, FixedOffsetZone } from 'luxon';
import { DAY_MS } from './units.ts';

/** An hour ahead of UTC all year. To look that up takes ten times as long. */
const LAGOS = FixedOffsetZone.instance(60);

export function inLagos(moment: Date): DateTime {
  return DateTime.fromJSDate(moment, { zone: LAGOS });
}

/** As an ISO date. */
export function lagosDay(moment: Date): string {
  return inLagos(moment).toFormat('yyyy-MM-dd');
}

/** As an ISO date. Public holidays are not taken into account. */
export function nextBusinessDay(moment: Date): string {
  let day = inLagos(moment).plus({ days: 1 });
  while (day.isWeekend) day = day.plus({ days: 1 });
  return day.toFormat('yyyy-MM-dd');
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
