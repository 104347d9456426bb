export class UnclearError extends Error {}

export function clearOr<Value, Other>(read: () => Value, other: (why: string) => Other) {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnclearError) return other(error.message);
    throw error;
  }
}

export type Row = Record<string, unknown>;

export function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseObject(text: string): Row {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Others are parsed three times as fast. */
const MAY_LOSE_DIGITS = /(?:"\s*:|[[,])\s*-?(?:\d+\.|\d{16})/;

/** A number that JavaScript does not hold exactly stays its digits: ids have 64 bits. */
export function parseJson(text: string): unknown {
  return MAY_LOSE_DIGITS.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+(\.\d+)?$/.test(source) ? source : value;
}

export function isStated(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

export function wordOf(value: unknown): string {
  return plainText(value, 50).toLowerCase();
}

export function stateIn<State>(states: Record<string, State>, word: string): State | 'unknown' {
  return Object.hasOwn(states, word) ? states[word]! : 'unknown';
}

export function numericId(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : plainText(value);
  return /^\d{1,20}$/.test(id) ? id : null;
}

export function idOf(value: unknown): string {
  const id = numericId(value);
  if (id === null) throw new UnclearError('a record carries no id');
  return id;
}

export function isReference(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);
}

export function payPageIn(url: unknown): string {
  if (typeof url === 'string' && /^https?:/i.test(url) && URL.canParse(url)) return url;
  throw new UnclearError('the answer holds no address of a pay page');
}

export function plainText(value: unknown, most = 300): string {
  if (typeof value !== 'string') return '';
  return value
    .toWellFormed()
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trim()
    .slice(0, most);
}

export function koboOf(value: unknown): number {
  const isDigits = typeof value === 'string' && /^ *\d+ *$/.test(value);
  const kobo = typeof value === 'number' || isDigits ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(kobo) || kobo < 0)
    throw new UnclearError(`an amount is not whole kobo: ${shown(value)}`);
  return kobo;
}

export function koboOfNaira(value: unknown): number {
  const [whole, kobo] = nairaDigits(value) ?? [];
  if (whole === undefined || kobo === undefined || !/^0*$/.test(kobo.slice(2)))
    throw new UnclearError(`an amount is not naira to the kobo: ${shown(value)}`);
  return koboOf(whole + kobo.slice(0, 2));
}

/** Halves up; null: no amount. */
export function roundedKoboOfNaira(value: unknown): number | null {
  const [whole, kobo] = nairaDigits(value) ?? [];
  if (whole === undefined || kobo === undefined) return null;
  const rounded = Number(whole + kobo.slice(0, 2)) + (Number(kobo[2] ?? 0) >= 5 ? 1 : 0);
  return Number.isSafeInteger(rounded) ? rounded : null;
}

function nairaDigits(value: unknown): [string, string] | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  const digits = /^ *(\d+)(?:\.(\d+))? *$/.exec(text);
  return digits ? [digits[1]!, (digits[2] ?? '').padEnd(2, '0')] : undefined;
}

function shown(value: unknown): string {
  return plainText(JSON.stringify(value) ?? 'missing', 50);
}

export function nairaOf(amountKobo: number): unknown {
  const digits = String(amountKobo).padStart(3, '0');
  return rawJson(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

const rawJson = (JSON as unknown as { rawJSON(digits: string): unknown }).rawJSON;

export function isNaira(currency: unknown): boolean {
  return /^(NGN)?$/i.test(plainText(currency, 10));
}

export function refundIdIn(note: unknown): string | null {
  if (typeof note !== 'string') return null;
  return /ref_[0-7][0-9a-hjkmnp-tv-z]{25}/.exec(note)?.[0] ?? null;
}

/** UTC where it names no zone. A time before 1970 stands for none, as 0001-01-01 does in Go. */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const date = new Date(/(z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
  return date.getTime() >= 0 ? date : null;
}

export function dayOf(value: unknown): string | null {
  const day = typeof value === 'string' ? value.trim().slice(0, 10) : '';
  return dateOf(`${day}T00:00:00Z`)?.toISOString().startsWith(day) ? day : null;
}
