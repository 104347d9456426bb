import { cursorOf, DEFAULT_LIMIT, pageOf } from '../http/cursor.ts';
import type { Route } from '../http/route.ts';
import type { DashboardRequest } from './request.ts';

interface ListQuery {
  filters?: readonly string[];
  defaults?: Record<string, string>;
  /** The status that stands for no filter. */
  none?: string;
  also?: Record<string, string>;
}

/** Newest first, filtered as the address says. */
export async function listed(
  { call, path, params, query }: DashboardRequest,
  route: Route,
  { filters = [], defaults = {}, none, also = {} }: ListQuery = {},
) {
  const filter = { ...defaults, ...filledFields(query, filters) };
  const { status, ...rest } = filter;
  const asked = status === none ? rest : filter;
  const { data, next_cursor: next } = await call(route, {
    params,
    query: { ...asked, ...filledFields(query, ['cursor']), ...also },
  });
  return { rows: data, filter, nextHref: nextPage(path, filter, next) };
}

/** Newest first, from `domain`, with the cursors of the API. */
export async function listedRows<Row extends { id: string }>(
  { session, path, query }: DashboardRequest,
  list: string,
  read: (page: { before: string; limit: number }) => Promise<Row[]>,
  filter: Record<string, string> = {},
): Promise<{ rows: Row[]; nextHref: string | undefined }> {
  const { before } = pageOf(session, list, query.cursor ? { cursor: query.cursor } : {});
  const rows = await read({ before, limit: DEFAULT_LIMIT + 1 });
  const shown = rows.slice(0, DEFAULT_LIMIT);
  const next = rows.length > DEFAULT_LIMIT ? cursorOf(session, list, shown.at(-1)!.id) : undefined;
  return { rows: shown, nextHref: nextPage(path, filter, next) };
}

/** A form sends empty fields too. */
export function filledFields(
  query: Record<string, string>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

export function csvHref({ path }: DashboardRequest, filter: Record<string, string>): string {
  const query = new URLSearchParams(filter).toString();
  return `${path}.csv${query && `?${query}`}`;
}

function nextPage(path: string, filter: Record<string, string>, cursor: string | undefined) {
  return cursor && `${path}?${new URLSearchParams({ ...filter, cursor })}`;
}
