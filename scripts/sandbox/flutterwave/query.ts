import type { Answer, Call } from '../context.ts';
import { text, toCount, toInstant } from '../fields.ts';
import type { Page, Window } from '../rows.ts';
import { ok, refuse } from './answers.ts';

const pageSize = 20;

interface ListQuery {
  window: Window;
  dates: Record<string, Date | undefined>;
}

/** A list answer: pages of twenty, of the days from `from` to `to`. */
export async function listAnswer<Entity>(
  call: Call,
  message: string,
  find: (query: ListQuery) => Promise<Page<Entity>>,
  toWire: (entity: Entity) => object | Promise<object>,
): Promise<Answer> {
  const page = toCount(text(call.query, 'page'), 1);
  const from = toInstant(text(call.query, 'from'), '00:00:00.000Z');
  const to = toInstant(text(call.query, 'to'), '23:59:59.999Z');
  if (!page) return refuse(400, 'page must be a number');
  if (Number.isNaN(from?.getTime()) || Number.isNaN(to?.getTime()))
    return refuse(400, 'from and to must be dates, YYYY-MM-DD');
  const window = { limit: pageSize, offset: (page - 1) * pageSize };
  const { rows, total } = await find({
    window,
    dates: { 'created_at >= ?': from, 'created_at <= ?': to },
  });
  const counts = {
    total,
    current_page: page,
    total_pages: Math.ceil(total / pageSize),
    page_size: pageSize,
  };
  return ok(message, await Promise.all(rows.map(toWire)), { page_info: counts });
}
