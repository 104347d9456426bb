import { type AnswerForm, errorOf, isGood, messageOf, rowsIn } from '../adapter/answers.ts';
import type { Client } from '../adapter/client.ts';
import type { ProviderAnswer } from '../adapter/http.ts';
import type { List, Listing } from '../adapter/lists.ts';
import { isObject, numericId } from '../adapter/read.ts';

/** (https://paystack.com/docs/api/) */
export const answerForm: AnswerForm = {
  provider: 'Paystack',
  isOwn: ({ status, message }) => typeof status === 'boolean' && typeof message === 'string',
  isSuccess: ({ status }) => status === true,
  result: 'data',
  messageOf: ({ message }) => message as string,
  failureOf({ status, json: { type, code } }, message) {
    if (!refusedStatuses.has(status)) return undefined;
    if (code === 'duplicate_reference' || /duplicate transaction reference/i.test(message))
      return 'duplicate';
    return refusedTypes.has(type as string | null) && code !== 'unknown' ? 'refused' : undefined;
  },
  unauthorized: 'the secret key',
};

const refusedStatuses = new Set([400, 401, 403, 404, 422]);

/**
 * A `processor_error` comes from a bank, which may have acted.
 * (https://paystack.com/docs/api/errors/)
 */
const refusedTypes = new Set([undefined, null, 'validation_error', 'api_error']);

/** Only from Paystack itself: "absent" lets a reference be sent again and a charge expire. */
export function isNotFound(answer: ProviderAnswer, what: 'transaction' | 'refund'): boolean {
  const { status, json } = answer;
  if (!answerForm.isOwn(json) || json.status === true || ![400, 404].includes(status)) return false;
  const isNamed = new RegExp(`${what}.* not found`, 'i').test(messageOf(answerForm, answer));
  if (json.code === `${what}_not_found` || isNamed) return true;
  // The older form of an error has no code; the newer one says what was not found.
  return status === 404 && json.code === undefined;
}

const perPage = 100;

export function listOf(client: Client, { path, query, isTolerant = false }: Listing): List {
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
