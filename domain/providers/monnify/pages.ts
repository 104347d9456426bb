import { errorOf, resultOf, rowsIn } from '../adapter/answers.ts';
import type { Client } from '../adapter/client.ts';
import type { ProviderAnswer } from '../adapter/http.ts';
import type { List } from '../adapter/lists.ts';
import type { Row } from '../adapter/read.ts';
import { answerForm } from './answers.ts';

const PAGE_SIZE = 100;

/** A list. `isTolerant`: it may come without an envelope, and what is no row is left out. */
export function listOf(
  client: Client,
  path: string,
  query: Record<string, string>,
  isTolerant = false,
): List {
  return {
    firstPage: 0,
    mostPages: 20,
    keyOf: ({ refundReference, transactionReference }) => refundReference ?? transactionReference,
    async read(page) {
      const search = new URLSearchParams({ ...query, page: `${page}`, size: `${PAGE_SIZE}` });
      const answer = await client.get(`${path}?${search}`);
      const body = resultOf(answerForm, answer) ?? (isTolerant ? bareBodyOf(answer) : undefined);
      if (!body) throw errorOf(answerForm, answer);
      const { content, last } = body;
      return {
        rows: rowsIn(content, isTolerant ? 'tolerant' : () => true),
        hasMore: typeof last === 'boolean' ? !last : undefined,
      };
    },
  };
}

/** A page without an envelope. An answer with one says itself whether the call worked. */
function bareBodyOf({ status, json }: ProviderAnswer): Row | undefined {
  const isBare = json.requestSuccessful === undefined && Array.isArray(json.content);
  return status === 200 && isBare ? json : undefined;
}
