import type { Answer } from '../context.ts';
import { text, toCount, toInstant } from '../fields.ts';
import type { Account } from '../records.ts';
import type { Page, Window } from '../rows.ts';
import { invalid, ok } from './answers.ts';

const largestPage = 100;

interface ListQuery {
  window: Window;
  dates: Record<string, Date | undefined>;
}

/** Reads perPage, page, from and to, or says what is wrong with them. */
export function readListQuery(query: Record<string, unknown>): ListQuery | Answer {
  const perPage = toCount(text(query, 'perPage'), 50);
  const page = toCount(text(query, 'page'), 1);
  const from = toInstant(text(query, 'from'), '00:00:00.000Z');
  const to = toInstant(text(query, 'to'), '23:59:59.999Z');
  if (!perPage || !page) return invalid('perPage and page should be numbers from 1 on');
  if (Number.isNaN(from?.getTime()) || Number.isNaN(to?.getTime()))
    return invalid('from and to should be ISO 8601 dates');
  const limit = Math.min(perPage, largestPage);
  return {
    window: { limit, offset: (page - 1) * limit },
    dates: { 'created_at >= ?': from, 'created_at <= ?': to },
  };
}

/**
 * A list answer: what the rows are called is the caller's matter, the paging is the same
 * everywhere.
 */
export async function listAnswer<Entity>(
  call: { account: Account; query: Record<string, unknown> },
  message: string,
  find: (query: ListQuery) => Promise<Page<Entity>>,
  toWire: (entity: Entity) => object | Promise<object>,
  withVolume = false,
): Promise<Answer> {
  const query = readListQuery(call.query);
  if ('status' in query) return query;
  const page = await find(query);
  const { limit, offset } = query.window;
  const volume = withVolume && { total_volume: page.volumeKobo };
  const counts = { total: page.total, ...volume, skipped: offset, perPage: limit };
  const meta = {
    ...counts,
    page: offset / limit + 1,
    pageCount: Math.max(1, Math.ceil(page.total / limit)),
  };
  return ok(message, await Promise.all(page.rows.map(toWire)), meta);
}
