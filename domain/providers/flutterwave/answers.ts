import { type AnswerForm, errorOf, isGood, messageOf, rowsIn } from '../adapter/answers.ts';
import type { ListClient } from '../adapter/client.ts';
import type { ProviderAnswer } from '../adapter/http.ts';
import type { List, Listing } from '../adapter/lists.ts';
import { isObject, numericId, plainText, type Row } from '../adapter/read.ts';

/** v3 has no codes: only status and text say what happened. */
export const answerForm: AnswerForm = {
  provider: 'Flutterwave',
  isOwn: ({ status, message }) =>
    (status === 'success' || status === 'error') && typeof message === 'string',
  isSuccess: ({ status }) => status === 'success',
  result: 'data',
  messageOf(json) {
    const [first] = Array.isArray(json.errors) ? json.errors : [];
    const detail = isObject(first) ? plainText(first.message) : '';
    const message = plainText(json.message);
    const whole = message.includes(detail) ? message : `${message}: ${detail}`;
    // Some begin in lower case: `customer.email is required`.
    return whole.charAt(0).toUpperCase() + whole.slice(1);
  },
  failureOf({ status, stage }, message) {
    if (!refusedStatuses.has(status) || internalError.test(message)) return undefined;
    return stage === 'create' && usedBefore.test(message) ? 'duplicate' : 'refused';
  },
  unauthorized: 'the secret key',
};

/** (https://developer.flutterwave.com/v3.0/docs/common-errors) */
const refusedStatuses = new Set([400, 401, 403, 404]);

const internalError =
  /error (has )?occurr?ed|something went wrong|internal (server )?error|timed out|try again later/i;

/** The text for a repeated `tx_ref` is undocumented; these have been seen. */
const usedBefore =
  /(reference|tx_ref)\b.*\b(been used|already|exists)|duplicate\b.*\b(reference|tx_ref)/i;

export type Thing = 'transaction' | 'refund' | 'chargeback' | 'settlement';

/**
 * Only the text says so, with status 400, 404 or 200. Only Flutterwave's own counts: "absent" lets
 * a charge expire.
 */
export function isNotFound(answer: ProviderAnswer, thing: Thing): boolean {
  const { status, json } = answer;
  if (!answerForm.isOwn(json) || isObject(json.data) || ![200, 400, 404].includes(status))
    return false;
  const notFound = `\\bno ${thing}s?( was| were)? found|\\b${thing}s?( was| were)? not found`;
  return new RegExp(notFound, 'i').test(messageOf(answerForm, answer));
}

interface FlutterwaveListing extends Listing {
  thing: Thing;
  /** Streamed, with these fields. */
  fields?: readonly string[];
}

/** A page has 10 to 20 rows. */
const MOST_ROWS = 1_000;

export function listOf(client: ListClient, listing: FlutterwaveListing): List {
  return {
    firstPage: 1,
    mostPages: 50,
    keyOf: ({ id }) => numericId(id) ?? undefined,
    read: (page) => readPage(client, listing, page),
  };
}

export async function readPage(client: ListClient, listing: FlutterwaveListing, page: number) {
  const { path, query, fields } = listing;
  const search = new URLSearchParams({ ...query, page: String(page) });
  const answer = await (fields
    ? client.list(`${path}?${search}`, { list: 'data', fields, skip: 0, most: MOST_ROWS })
    : client.get(`${path}?${search}`));
  const { meta } = answer.json;
  const info = isObject(meta) && isObject(meta.page_info) ? meta.page_info : {};
  const pages = countIn(info.total_pages);
  return {
    rows: rowsOf(answer, listing),
    hasMore: pages === undefined ? undefined : page < pages,
    total: countIn(info.total),
  };
}

function countIn(value: unknown): number | undefined {
  const count = Number(value ?? Number.NaN);
  return Number.isSafeInteger(count) ? count : undefined;
}

function rowsOf(
  answer: ProviderAnswer & { rows?: Row[] | undefined; hasMore?: boolean },
  { thing, isTolerant }: FlutterwaveListing,
): Row[] {
  const { rows = answer.json.data, hasMore = false } = answer;
  const isEmpty = !Array.isArray(rows) || rows.length === 0;
  if (isEmpty && isNotFound(answer, thing)) return [];
  if (!isGood(answerForm, answer)) throw errorOf(answerForm, answer);
  return rowsIn(
    hasMore ? undefined : rows,
    isTolerant ? 'tolerant' : ({ id }) => numericId(id) !== null,
  );
}
