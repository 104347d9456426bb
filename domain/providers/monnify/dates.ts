import { DateTime } from 'luxon';
import { plainText } from '../read.ts';

/** Monnify names no zone in most of its dates, and keeps Lagos time. */
const reading = { zone: 'Africa/Lagos', locale: 'en-US' };

/**
 * A moment in any of Monnify's forms: `17/11/2021 3:48:10 PM`, `2021-11-17 11:28:42.615`, ISO with an offset or without. Null for
 * anything else; slashes without AM or PM too, because it has written half past six in the evening as `06:30:00`.
 */
export function monnifyDate(value: unknown): Date | null {
  const text = plainText(value, 50).replace(/\s+/g, ' ');
  const date = text.includes('/')
    ? DateTime.fromFormat(text, 'd/M/yyyy h:mm:ss a', reading)
    : fromIso(text);
  return date?.isValid ? date.toJSDate() : null;
}

function fromIso(text: string): DateTime | undefined {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)
    ? DateTime.fromISO(text.replace(' ', 'T'), reading)
    : undefined;
}
