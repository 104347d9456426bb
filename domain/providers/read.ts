import { ProviderError } from './provider.ts';

/** Reading what a provider sends: nothing in it is what it should be until it was looked at. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text a person may be shown and the database takes: one line, no control characters, never long. */
export function plainText(value: unknown, most = 300): string {
  if (typeof value !== 'string') return '';
  return value
    .toWellFormed()
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trim()
    .slice(0, most);
}

/** Whole kobo, from a number or its digits. What is neither is not guessed at. */
export function koboOf(value: unknown, stage: string): number {
  const kobo = typeof value === 'number' || (typeof value === 'string' && /^ *\d+ *$/.test(value)) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(kobo) || kobo < 0) {
    throw new ProviderError('unknown', stage, `an amount is not whole kobo: ${plainText(JSON.stringify(value) ?? 'missing', 50)}`);
  }
  return kobo;
}

/** A moment, read as UTC where no zone is given; null for anything that is none. */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const date = new Date(/(z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Our own references are short and printable; what is neither is not ours and not worth keeping. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);
}
