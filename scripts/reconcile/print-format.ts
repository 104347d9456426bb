import { DateTime } from 'luxon';
import type { NamedConnection } from '../../domain/accounts/connection/connection.ts';
import { formatNaira } from '../../domain/shared/money.ts';

/** Kobo in a column of naira: the sign comes first, and zero has none. */
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
export function nameOf({ tenant, mode, slot, adapter }: NamedConnection): string {
  return `${inLines(tenant).join(' ')} · ${adapter.charAt(0).toUpperCase()}${adapter.slice(1)} (${slot}) · ${mode} mode`;
}

/** What a terminal shows in a line. */
export const PAGE_WIDTH = 160;

/** A text of people in lines that fit the page behind an indent; control characters are removed. */
export function inLines(text: string, indent = 0): string[] {
  const words = text.replaceAll(/\p{Cc}/gu, ' ').split(/\s+/);
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1)!;
    if (line !== '' && indent + line.length + 1 + word.length > PAGE_WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
