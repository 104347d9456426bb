import type { Answer } from '../context.ts';
import { text } from '../fields.ts';
import type { Page, Window } from '../rows.ts';
import { notProcessed, ok } from './answers.ts';

const largestPage = 100;

/** One page of a list as Spring shows it: `page` counts from 0, `size` is 10 unless asked. */
export async function pageAnswer<Entity>(
  query: Record<string, unknown>,
  find: (window: Window) => Promise<Page<Entity>>,
  toWire: (entity: Entity) => object | Promise<object>,
): Promise<Answer> {
  const number = toCount(text(query, 'page') ?? '0');
  const asked = toCount(text(query, 'size') ?? '10');
  if (number === undefined || !asked) return notProcessed;
  const size = Math.min(asked, largestPage);
  const { rows, total } = await find({ limit: size, offset: number * size });
  return ok(springPage(await Promise.all(rows.map(toWire)), { number, size, total }));
}

function springPage(
  content: object[],
  { number, size, total }: { number: number; size: number; total: number },
) {
  const sort = { sorted: true, unsorted: false, empty: false };
  const totalPages = Math.ceil(total / size);
  return {
    content,
    pageable: {
      sort,
      pageSize: size,
      pageNumber: number,
      offset: number * size,
      paged: true,
      unpaged: false,
    },
    last: number + 1 >= totalPages,
    totalPages,
    totalElements: total,
    sort,
    first: number === 0,
    numberOfElements: content.length,
    size,
    number,
    empty: content.length === 0,
  };
}

function toCount(digits: string): number | undefined {
  return /^\d{1,6}$/.test(digits) ? Number(digits) : undefined;
}
