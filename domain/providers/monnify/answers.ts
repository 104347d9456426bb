import {
  type AnswerForm,
  errorOf,
  isGood,
  messageOf,
  resultOf,
  rowsIn,
} from '../adapter/answers.ts';
import type { Client } from '../adapter/client.ts';
import type { ProviderAnswer } from '../adapter/http.ts';
import type { List, Listing } from '../adapter/lists.ts';
import type { Row } from '../adapter/read.ts';

/** (https://developers.monnify.com/docs/error-codes) */
export const answerForm: AnswerForm = {
  provider: 'Monnify',
  isOwn: ({ requestSuccessful, responseCode }) =>
    typeof requestSuccessful === 'boolean' && /^(string|number)$/.test(typeof responseCode),
  isSuccess: (json) => json.requestSuccessful === true && codeOf(json) === '0',
  result: 'responseBody',
  messageOf: ({ responseMessage }) => responseMessage as string,
  failureOf(answer, message) {
    const code = refusalOf(answer);
    // Its status and code are undocumented; its text is documented.
    if (answer.stage === 'create' && code !== undefined && usedBefore.test(message))
      return 'duplicate';
    const isRefused = refusedStatuses.has(answer.status) && code === '99';
    return isRefused && !internalError.test(message) ? 'refused' : undefined;
  },
  unauthorized: 'its own access token',
};

const usedBefore = /duplicate payment reference|payment already exists/i;

const refusedStatuses = new Set([400, 401, 403, 404, 422]);

/** Code 99 is a refusal, or a failure with these texts. */
const internalError = /error (occurred while )?processing (the|your) request|system error/i;

/** Undefined: the call may have worked. */
export function refusalOf({ status, json }: ProviderAnswer): string | undefined {
  const isRefusal = answerForm.isOwn(json) && json.requestSuccessful === false;
  const mayHaveWorked = status < 200 || status >= 500 || status === 429;
  return isRefusal && !mayHaveWorked ? codeOf(json) : undefined;
}

function codeOf({ responseCode }: Row): string {
  return String(responseCode).trim();
}

export function isEmpty(answer: ProviderAnswer): boolean {
  return isGood(answerForm, answer) && (answer.json.responseBody ?? null) === null;
}

/** All of 404, code 99 and a text: "absent" lets a reference be sent again and a charge expire. */
export function isNotFound(answer: ProviderAnswer): boolean {
  const texts =
    /could not find transaction with payment reference|no transaction matching supplied reference/i;
  const is99 = answer.status === 404 && refusalOf(answer) === '99';
  return is99 && texts.test(messageOf(answerForm, answer));
}

const PAGE_SIZE = 100;

/** A tolerant list may also come without an envelope. */
export function listOf(client: Client, { path, query, isTolerant = false }: Listing): List {
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

function bareBodyOf({ status, json }: ProviderAnswer): Row | undefined {
  const isBare = json.requestSuccessful === undefined && Array.isArray(json.content);
  return status === 200 && isBare ? json : undefined;
}
