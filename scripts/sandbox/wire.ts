import type { Answer, Endpoint } from './context.ts';

type Handle = Endpoint['handle'];

export const get = (path: string, handle: Handle): Endpoint => ({ method: 'get', path, handle });
export const post = (path: string, handle: Handle): Endpoint => ({ method: 'post', path, handle });
export const put = (path: string, handle: Handle): Endpoint => ({ method: 'put', path, handle });

/** Endpoints that each look at a payment, and are counted. */
export const looks = (...endpoints: Endpoint[]): Endpoint[] =>
  endpoints.map((endpoint) => ({ ...endpoint, isLook: true }));

/** Ends a call with an answer that refuses it; nothing has been changed by then. */
export class Refusal extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}

/** An id in an address or a body. One too long for our numbering is a number that nothing has. */
export function toId(value: unknown): number | undefined {
  const digits = String(value);
  if (!/^\d+$/.test(digits)) return undefined;
  return digits.length > 15 ? 0 : Number(digits);
}

/** A whole number from 1 on; the default when none is given. */
export function toCount(value: unknown, fallback: number): number | undefined {
  const digits = toText(value);
  if (digits === undefined) return fallback;
  return /^[1-9]\d{0,5}$/.test(digits) ? Number(digits) : undefined;
}

/** Text that is not empty; undefined for anything else. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An object's fields; none of anything else. */
export function toFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Whether a customer could be written to there. */
export function isEmail(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 254) return false;
  return /^[^\s@\0]+@[^\s@\0]+\.[^\s@\0]+$/.test(value);
}

/** Whether a browser could be sent there. */
export function isWebAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 2048) return false;
  return /^https?:\/\/[!-~]+$/.test(value) && URL.canParse(value);
}

/** What lists are filtered by: absent, everything passes. */
export type Span = { from?: Date | undefined; to?: Date | undefined };

export function isWithin({ createdAt }: { createdAt: Date }, { from, to }: Span): boolean {
  return (!from || createdAt >= from) && (!to || createdAt <= to);
}

/** From `from` to `to`, as ISO 8601 dates; undefined when one of them is none. */
export function readSpan(query: Record<string, unknown>): Span | undefined {
  const from = toInstant(toText(query.from), '00:00:00.000Z');
  const to = toInstant(toText(query.to), '23:59:59.999Z');
  return Number.isNaN(from?.getTime()) || Number.isNaN(to?.getTime()) ? undefined : { from, to };
}

/** A bare date means the whole day, in UTC. */
function toInstant(value: string | undefined, timeOfDay: string): Date | undefined {
  if (value === undefined) return undefined;
  return new Date(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T${timeOfDay}` : value);
}

/** What a row says under the name of a query parameter. */
export type Filters<Row> = Record<string, (row: Row) => unknown>;

/** The rows that say what the query asks for; a parameter that is not given lets all pass. */
export function filtered<Row>(
  rows: readonly Row[],
  query: Record<string, unknown>,
  filters: Filters<Row>,
): Row[] {
  const asked = Object.entries(filters).filter(([name]) => toText(query[name]) !== undefined);
  return rows.filter((row) => asked.every(([name, of]) => String(of(row)) === query[name]));
}

/** Fields that the real wire has, and that are never filled here. */
export function unfilled(names: string): Record<string, null> {
  return Object.fromEntries(names.split(' ').map((name) => [name, null]));
}

/** Kobo as the naira of JSON, exact up to 15 digits. */
export const toNaira = (kobo: number): number => kobo / 100;

/** Kobo as naira with both decimals, as some providers spell amounts. */
export function toNairaText(kobo: number): string {
  const digits = String(Math.abs(kobo)).padStart(3, '0');
  return `${kobo < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Naira with up to two decimals as kobo, by their digits and never by multiplying. */
export function toKobo(naira: unknown): number | undefined {
  if (typeof naira !== 'number' && typeof naira !== 'string') return undefined;
  const [, whole, decimals = ''] = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(String(naira)) ?? [];
  return whole === undefined ? undefined : Number(whole + decimals.padEnd(2, '0'));
}

/** The fields that have a value. */
export function defined<T extends object>(fields: T) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Field in keyof T]: Exclude<T[Field], undefined> };
}
