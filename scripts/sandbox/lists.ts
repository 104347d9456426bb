import { text } from './fields.ts';

export interface Window {
  limit: number;
  offset: number;
}

export interface Page<Row> {
  rows: Row[];
  total: number;
}

export function pageOf<Row>(all: readonly Row[], { limit, offset }: Window): Page<Row> {
  return { rows: all.slice(offset, offset + limit), total: all.length };
}

/** What lists are filtered by: absent, everything passes. */
export interface Span {
  from?: Date | undefined;
  to?: Date | undefined;
}

export function isWithin({ createdAt }: { createdAt: Date }, { from, to }: Span): boolean {
  return (!from || createdAt >= from) && (!to || createdAt <= to);
}

/** From `from` to `to`, as ISO 8601 dates; undefined when one of them is none. */
export function readSpan(query: Record<string, unknown>): Span | undefined {
  const from = toInstant(text(query, 'from'), '00:00:00.000Z');
  const to = toInstant(text(query, 'to'), '23:59:59.999Z');
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
  const asked = Object.entries(filters).filter(([name]) => text(query, name) !== undefined);
  return rows.filter((row) => asked.every(([name, of]) => String(of(row)) === query[name]));
}

/** Fields that the real wire has, and that are never filled here. */
export function unfilled(names: string): Record<string, null> {
  return Object.fromEntries(names.split(' ').map((name) => [name, null]));
}
