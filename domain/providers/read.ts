import { ProviderError, type Verification } from './provider.ts';

/** Reading what a provider sends: nothing in it is what it should be until it was looked at. */

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

/** Whole kobo from naira, as a whole number or decimal digits: `100.5` → 10050. Throws where kobo would not be whole. */
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

/** The same for what a provider computed by percentages: rounded to the nearest kobo, halves up; null where it is no amount. */
export function roundedKoboOfNaira(value: unknown): number | null {
  const [whole, kobo] = nairaDigits(value) ?? [];
  if (whole === undefined || kobo === undefined) return null;
  const rounded = Number(whole + kobo.slice(0, 2)) + (Number(kobo[2] ?? 0) >= 5 ? 1 : 0);
  return Number.isSafeInteger(rounded) ? rounded : null;
}

/** What stands before the point, and after it, at least two digits. No arithmetic touches them. */
function nairaDigits(value: unknown): [string, string] | undefined {
  const digits = /^ *(\d+)(?:\.(\d+))? *$/.exec(
    typeof value === 'number' || typeof value === 'string' ? String(value) : '',
  );
  return digits ? [digits[1]!, (digits[2] ?? '').padEnd(2, '0')] : undefined;
}

/** Kobo as naira in the digits of a JSON number: 10050 → `100.50`. */
export function nairaOf(amountKobo: number): unknown {
  const digits = String(amountKobo).padStart(3, '0');
  return rawJson(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** Digits that stand in JSON just as they are. The language has it; its type declarations do not yet. */
const rawJson = (JSON as unknown as { rawJSON(digits: string): unknown }).rawJSON;

/** One of our own refund ids inside a note that a provider keeps. */
export function refundIdIn(note: unknown): string | null {
  return typeof note === 'string'
    ? (/ref_[0-7][0-9a-hjkmnp-tv-z]{25}/.exec(note)?.[0] ?? null)
    : null;
}

/** A moment, read as UTC where no zone is given; null for anything that is none. */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const date = new Date(/(z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The day that a date or a moment is written with, as an ISO date, whatever the hour beside it; null for anything that is none. */
export function dayOf(value: unknown): string | null {
  const day = typeof value === 'string' ? value.trim().slice(0, 10) : '';
  return dateOf(`${day}T00:00:00Z`)?.toISOString().startsWith(day) ? day : null;
}

/** Our own references are short and printable; what is neither is not ours and not worth keeping. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);
}
