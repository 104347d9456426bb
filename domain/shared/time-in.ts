import { DateTime } from 'luxon';

/** With the zone's city, because the reader may live in another: `(Lagos time)`. */
export function timeIn(timeZone: string, at: Date): string {
  const city = timeZone.split('/').at(-1)!.replaceAll('_', ' ');
  return `${DateTime.fromJSDate(at, { zone: timeZone }).toFormat('d LLLL yyyy, HH:mm')} (${city} time)`;
}
