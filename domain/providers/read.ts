import type { Verification } from './provider.ts';
import { ProviderError } from './provider-error.ts';

/** Readers of values that a provider sends. No value has the expected type until it is checked. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object in a text; `{}` when it holds none. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** True unless a provider left the value out. */
export function isStated(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

/** Our state for a provider's status; `unknown` for one that the table does not list. */
export function stateIn<State>(states: Record<string, State>, status: string): State | 'unknown' {
  return Object.hasOwn(states, status) ? states[status]! : 'unknown';
}

/** What a reader returns; undefined where the value is not clear. */
export function ifClear<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

/** An id of up to 64 bits as its digits, from a number or digits; null for anything else. */
export function numericId(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : plainText(value);
  return /^\d{1,20}$/.test(id) ? id : null;
}

/** The address of a pay page. Throws `unknown` where there is none: the payment may exist. */
export function payPageIn(url: unknown): string {
  if (typeof url === 'string' && /^https?:/i.test(url) && URL.canParse(url)) return url;
  throw new ProviderError('unknown', 'create', 'the answer holds no address of a pay page');
}

/** What a provider's "not found" says about a reference. */
export function absentPayment(raw: string): Verification {
  return {
    state: 'absent',
    status: 'not found',
    captures: [],
    hasRefunds: false,
    unknownWords: [],
    failureMessage: null,
    raw,
  };
}

/** Text for people and the database: one line, no control characters, bounded. */
export function plainText(value: unknown, most = 300): string {
  if (typeof value !== 'string') return '';
  return value
    .toWellFormed()
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trim()
    .slice(0, most);
}

/** Whole kobo, from a number or its digits. Throws `unknown` for anything else. */
export function koboOf(value: unknown, stage: string): number {
  const kobo =
    typeof value === 'number' || (typeof value === 'string' && /^ *\d+ *$/.test(value))
      ? Number(value)
      : Number.NaN;
  if (!Number.isSafeInteger(kobo) || kobo < 0) {
    throw new ProviderError(
      'unknown',
      stage,
      `an amount is not whole kobo: ${plainText(JSON.stringify(value) ?? 'missing', 50)}`,
    );
  }
  return kobo;
}

/** Kobo from naira: `100.5` → 10050. Throws `unknown` where they are not whole. */
export function koboOfNaira(value: unknown, stage: string): number {
  const [whole, kobo] = nairaDigits(value) ?? [];
  if (whole === undefined || kobo === undefined || !/^0*$/.test(kobo.slice(2))) {
    throw new ProviderError(
      'unknown',
      stage,
      `an amount is not naira to the kobo: ${plainText(JSON.stringify(value) ?? 'missing', 50)}`,
    );
  }
  return koboOf(whole + kobo.slice(0, 2), stage);
}

/**
 * The same for computed amounts: rounded to the nearest kobo, halves up; null where it is no
 * amount.
 */
export function roundedKoboOfNaira(value: unknown): number | null {
  const [whole, kobo] = nairaDigits(value) ?? [];
  if (whole === undefined || kobo === undefined) return null;
  const rounded = Number(whole + kobo.slice(0, 2)) + (Number(kobo[2] ?? 0) >= 5 ? 1 : 0);
  return Number.isSafeInteger(rounded) ? rounded : null;
}

/** The digits before the decimal point and, at least two, after it. No arithmetic. */
function nairaDigits(value: unknown): [string, string] | undefined {
  const digits = /^ *(\d+)(?:\.(\d+))? *$/.exec(
    typeof value === 'number' || typeof value === 'string' ? String(value) : '',
  );
  return digits ? [digits[1]!, (digits[2] ?? '').padEnd(2, '0')] : undefined;
}

/** Naira as a JSON number with exact digits: 10050 → `100.50`. */
export function nairaOf(amountKobo: number): unknown {
  const digits = String(amountKobo).padStart(3, '0');
  return rawJson(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** `JSON.rawJSON`, which the type declarations lack. */
const rawJson = (JSON as unknown as { rawJSON(digits: string): unknown }).rawJSON;

/** A refund id of ours in a note. */
export function refundIdIn(note: unknown): string | null {
  return typeof note === 'string'
    ? (/ref_[0-7][0-9a-hjkmnp-tv-z]{25}/.exec(note)?.[0] ?? null)
    : null;
}

/** A time, in UTC where it names no zone; null for anything else. */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const date = new Date(/(z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The ISO date that a date or time begins with; null for anything else. */
export function dayOf(value: unknown): string | null {
  const day = typeof value === 'string' ? value.trim().slice(0, 10) : '';
  return dateOf(`${day}T00:00:00Z`)?.toISOString().startsWith(day) ? day : null;
}

/** References are short and printable. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);
}
