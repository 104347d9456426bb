import { DateTime } from 'luxon';
import { formatNaira } from '../../domain/money.ts';
import type { Connection } from './run.ts';

/** Kobo in a column of naira: the sign stands before, and nothing is never negative. */
export function naira(kobo: number): string {
  const digits = formatNaira(Math.abs(kobo)).replace('₦', '');
  return kobo < 0 ? `−${digits}` : digits;
}

export function count(many: number, thing: string): string {
  return `${many} ${many === 1 ? thing : thing.replace(/y$/, 'ie').concat('s')}`;
}

/** An ISO date as `23 November 2026`. */
export function longDay(day: string): string {
  return DateTime.fromISO(day, { locale: 'en-GB' }).toFormat('d LLLL yyyy');
}

/** `Test Store · Paystack (provider_a) · test mode` */
export function nameOf({ tenant, mode, slot, adapter }: Connection): string {
  return `${tenant} · ${adapter.charAt(0).toUpperCase()}${adapter.slice(1)} (${slot}) · ${mode} mode`;
}
