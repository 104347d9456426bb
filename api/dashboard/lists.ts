import type { Static, TSchema } from 'typebox';
import { type Fields, Problem } from '../../domain/shared/problems.ts';
import { cursorOf, DEFAULT_LIMIT, pageOf } from '../http/cursor.ts';
import type { Route } from '../http/route.ts';
import { queryCheckerOf } from '../http/validation.ts';
import { inWords } from './in-words.ts';
import type { DashboardRequest } from './request.ts';

export type Filter = Record<string, string | string[]>;

interface ListQuery {
  filters?: readonly string[];
  defaults?: Record<string, string>;
  /** The status that stands for no filter. */
  none?: string;
  also?: Record<string, string>;
  /** What the route is asked, where a form has other fields. Throws `validation_failed`. */
  queryOf?: (filter: Filter) => Filter;
}

/** Newest first, filtered as the address says. */
export async function listed(
  request: DashboardRequest,
  route: Route,
  { filters = [], defaults = {}, none, also = {}, queryOf = (filter) => filter }: ListQuery = {},
) {
  const { call, params, query } = request;
  const given = { ...defaults, ...filledFields(request.all, filters) };
  const { read: page, ...list } = await withoutWrong(given, (filter) => {
    const { status, ...rest } = filter;
    const asked = queryOf(status === none ? rest : filter);
    return call(route, {
      params,
      query: { ...asked, ...filledFields(query, ['cursor']), ...also },
    });
  });
  return {
    rows: page.data,
    ...list,
    filterParts: partsOf(filters),
    ...pagesAround(request, list.filter, page.next_cursor),
  };
}

/** Reads a filter as the API does: throws `validation_failed` for what does not fit. */
export function queryReader<Schema extends TSchema>(schema: Schema) {
  const check = queryCheckerOf(schema);
  return (filter: Filter) => {
    const query = { ...filter };
    check(query);
    return query as Static<Schema>;
  };
}

/** Ids of what a filter's form says, which follows the list. */
export const partsOf = (filters: readonly string[]): string[] =>
  filters.flatMap((name) => [`${name}-problem`, `${name}-chosen`]);

/**
 * Reads a list without the filters that are refused, and says why: a list stays one while somebody
 * fills its form.
 */
export async function withoutWrong<Read>(
  given: Filter,
  read: (filter: Filter) => Promise<Read>,
): Promise<{ filter: Filter; typed: Filter; problems: Fields; read: Read }> {
  try {
    return { filter: given, typed: given, problems: {}, read: await read(given) };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    const refused = Object.entries(inWords(error.fields ?? {}));
    const problems = Object.fromEntries(
      refused.map(([name, problem]) => [name.replace(/_kobo$/, ''), problem]),
    );
    const right = Object.entries(given).filter(([name]) => !(name in problems));
    if (right.length === Object.keys(given).length) throw error;
    const again = await withoutWrong(Object.fromEntries(right), read);
    return { ...again, typed: given, problems: { ...again.problems, ...problems } };
  }
}

/** Newest first, from `domain`, with the cursors of the API. */
export async function listedRows<Row extends { id: string }>(
  request: DashboardRequest,
  list: string,
  read: (page: { before: string; limit: number }) => Promise<Row[]>,
  filter: Filter = {},
  positionOf: (row: Row) => string = ({ id }) => id,
) {
  const { session, query } = request;
  const { before } = pageOf(session, list, query.cursor ? { cursor: query.cursor } : {});
  const rows = await read({ before, limit: DEFAULT_LIMIT + 1 });
  const shown = rows.slice(0, DEFAULT_LIMIT);
  const next =
    rows.length > DEFAULT_LIMIT ? cursorOf(session, list, positionOf(shown.at(-1)!)) : undefined;
  return { rows: shown, ...pagesAround(request, filter, next) };
}

/** A form sends empty fields too. */
export function filledFields<Value extends string | string[]>(
  query: Record<string, Value>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const given = [query[name] ?? []].flat().map((value) => value.trim());
      const values = given.filter((value) => value !== '');
      if (values.length === 0) return [];
      return [[name, (Array.isArray(query[name]) ? values : values[0]) as Value]];
    }),
  );
}

/** What somebody searches for, without what cannot be printed; undefined: nothing. */
export function searchedFor(typed = ''): string | undefined {
  return typed.trim().slice(0, 254).replaceAll(/\p{C}/gu, '') || undefined;
}

export function csvHref({ path }: DashboardRequest, filter: Filter): string {
  return addressOf(`${path}.csv`, filter);
}

/** A repeated field is in it several times. */
export function addressOf(path: string, filter: Filter): string {
  const pairs = Object.entries(filter).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const query = new URLSearchParams(pairs).toString();
  return `${path}${query && `?${query}`}`;
}

/** How many pages somebody can go back one by one; then the first page follows. */
const MOST_BACK = 40;

/**
 * Where the pages around lead. A cursor leads only on, so the address holds those of the pages that
 * were passed, oldest first; the first page has none.
 */
function pagesAround({ path, query }: DashboardRequest, filter: Filter, next: string | undefined) {
  const { cursor, back = '' } = query;
  const passed = back.split('.').filter((each) => each !== '');
  const pageAt = (to: string | undefined, after: readonly string[]) =>
    addressOf(path, {
      ...filter,
      ...(to ? { cursor: to } : {}),
      ...(after.length > 0 ? { back: after.join('.') } : {}),
    });
  return {
    nextHref: next && pageAt(next, [...passed, ...(cursor ? [cursor] : [])].slice(-MOST_BACK)),
    previousHref: cursor && pageAt(passed.at(-1), passed.slice(0, -1)),
  };
}
