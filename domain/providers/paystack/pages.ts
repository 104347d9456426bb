import { errorOf, isGood, rowsIn } from '../adapter/answers.ts';
import type { Client } from '../adapter/client.ts';
import type { List } from '../adapter/lists.ts';
import { idOf, isObject, numericId, type Row } from '../adapter/read.ts';
import { answerForm } from './answers.ts';

const perPage = 100;

/** A list. `isTolerant`: what is no row is left out, and rows need no id. */
export function listOf(
  client: Client,
  path: string,
  query: Record<string, string>,
  isTolerant = false,
): List {
  return {
    firstPage: 1,
    mostPages: 50,
    keyOf: ({ id }) => numericId(id) ?? undefined,
    async read(page) {
      const search = new URLSearchParams({ ...query, perPage: `${perPage}`, page: `${page}` });
      const answer = await client.get(`${path}?${search}`);
      if (!isGood(answerForm, answer)) throw errorOf(answerForm, answer);
      const { data, meta } = answer.json;
      const pageCount = isObject(meta) ? meta.pageCount : undefined;
      return {
        rows: rowsIn(data, isTolerant ? 'tolerant' : ({ id }) => numericId(id) !== null),
        hasMore: typeof pageCount === 'number' ? page < pageCount : undefined,
      };
    },
  };
}

/** Some records hold the whole transaction, others its id. Null where it is not named. */
export function paymentIdOf({ transaction }: Row): string | null {
  const id = isObject(transaction) ? transaction.id : transaction;
  return id === null || id === undefined ? null : idOf(id);
}
