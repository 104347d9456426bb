import { cursorOf, DEFAULT_LIMIT, pageOf } from '../http/cursor.ts';
import { nextPage } from './filters.ts';
import type { DashboardRequest } from './request.ts';

/** A page of a list that is read from `domain`, newest first, with the cursors of the API. */
export async function pageOfRows<Row extends { id: string }>(
  { session: { tenantId }, mode, query }: DashboardRequest,
  { list, path, filter = {} }: { list: string; path: string; filter?: Record<string, string> },
  read: (page: { before: string; limit: number }) => Promise<Row[]>,
): Promise<{ rows: Row[]; nextHref: string | undefined }> {
  const reader = { tenantId, mode };
  const cursor = query.cursor ? { cursor: query.cursor } : {};
  const { before } = pageOf(reader, list, cursor);
  const rows = await read({ before, limit: DEFAULT_LIMIT + 1 });
  const shown = rows.slice(0, DEFAULT_LIMIT);
  const next = rows.length > DEFAULT_LIMIT ? cursorOf(reader, list, shown.at(-1)!.id) : undefined;
  return { rows: shown, nextHref: nextPage(path, filter, next) };
}
