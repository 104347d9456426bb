import { type AnswerForm, isGood, messageOf } from '../adapter/answers.ts';
import type { ProviderAnswer } from '../adapter/http.ts';

/** An answer of Monnify. (https://developers.monnify.com/docs/error-codes) */
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

/**
 * Code 99 stands for a refusal in words and for a failure of Monnify's own, which has these texts.
 * M01 and M02 are failures too.
 */
const internalError = /error (occurred while )?processing (the|your) request|system error/i;

/** The code of a refusal of Monnify's own; undefined where the call may have worked. */
export function refusalOf({ status, json }: ProviderAnswer): string | undefined {
  const isRefusal = answerForm.isOwn(json) && json.requestSuccessful === false;
  const mayHaveWorked = status < 200 || status >= 500 || status === 429;
  return isRefusal && !mayHaveWorked ? codeOf(json) : undefined;
}

function codeOf({ responseCode }: Record<string, unknown>): string {
  return String(responseCode).trim();
}

export function isEmpty(answer: ProviderAnswer): boolean {
  return isGood(answerForm, answer) && (answer.json.responseBody ?? null) === null;
}

/**
 * Monnify answers an unknown payment with 404, code 99 and one of two texts. All of it is required:
 * "absent" lets a reference be sent again and a charge expire, so a wrong path or a proxy must not
 * be able to say it.
 */
export function isNotFound(answer: ProviderAnswer): boolean {
  const texts =
    /could not find transaction with payment reference|no transaction matching supplied reference/i;
  const is99 = answer.status === 404 && refusalOf(answer) === '99';
  return is99 && texts.test(messageOf(answerForm, answer));
}
