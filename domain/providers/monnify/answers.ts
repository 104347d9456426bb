import type { ProviderAnswer } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import { isObject, plainText } from '../read.ts';

/**
 * True for Monnify's own answers, which carry `requestSuccessful` and `responseCode`. Any other
 * answer, such as a proxy's HTML page, says nothing about a payment.
 */
export function isFromMonnify({ json }: ProviderAnswer): boolean {
  return (
    typeof json.requestSuccessful === 'boolean' &&
    /^(string|number)$/.test(typeof json.responseCode)
  );
}

/** The result of a call; undefined where it did not succeed. */
export function bodyOf(answer: ProviderAnswer): Record<string, unknown> | undefined {
  const { responseBody } = answer.json;
  return worked(answer) && isObject(responseBody) ? responseBody : undefined;
}

/** True when a call succeeded with an empty result. */
export function isEmpty(answer: ProviderAnswer): boolean {
  return worked(answer) && (answer.json.responseBody ?? null) === null;
}

function worked(answer: ProviderAnswer): boolean {
  const { status, json } = answer;
  return (
    status >= 200 &&
    status < 300 &&
    isFromMonnify(answer) &&
    json.requestSuccessful === true &&
    codeOf(answer) === '0'
  );
}

/**
 * The code of a refusal of Monnify's own, like `99` or `R2`; undefined where the call may have
 * worked.
 */
export function refusalOf(answer: ProviderAnswer): string | undefined {
  const isRefusal =
    isFromMonnify(answer) &&
    answer.json.requestSuccessful === false &&
    answer.status >= 200 &&
    answer.status < 500;
  return isRefusal && answer.status !== 429 ? codeOf(answer) : undefined;
}

/**
 * Monnify answers an unknown payment with 404, code 99 and one of two texts. All of it is required:
 * "absent" lets a reference be sent again and a charge expire, so a wrong path or a proxy must not
 * be able to say it.
 */
export function isNotFound(answer: ProviderAnswer): boolean {
  return (
    answer.status === 404 &&
    refusalOf(answer) === '99' &&
    /could not find transaction with payment reference|no transaction matching supplied reference/i.test(
      messageOf(answer),
    )
  );
}

/** The reference was used before. Its status and code are undocumented; its text is documented. */
export function isDuplicate(answer: ProviderAnswer): boolean {
  return (
    refusalOf(answer) !== undefined &&
    /duplicate payment reference|payment already exists/i.test(messageOf(answer))
  );
}

/** Statuses of which the documentation says that the call was refused. */
const refusedStatuses = new Set([400, 401, 403, 404, 422]);

/**
 * Code 99 stands for a refusal in words and for a failure of Monnify's own, which has these texts.
 * M01 and M02 are failures too. (https://developers.monnify.com/docs/error-codes)
 */
const internalError = /error (occurred while )?processing (the|your) request|system error/i;

/**
 * 429 means later; a documented status with code 99 and words for a refusal is one. After anything
 * else the call may have taken effect.
 */
export function errorOf(answer: ProviderAnswer, stage: string): ProviderError {
  const { status, retryAfterMs } = answer;
  if (status === 429)
    return new ProviderError('limited', stage, messageOf(answer), { retryAfterMs });
  if (!isFromMonnify(answer))
    return new ProviderError(
      'unknown',
      stage,
      `the answer is not one of Monnify's (HTTP ${status})`,
    );
  if (bodyOf(answer))
    return new ProviderError('unknown', stage, 'the answer does not hold what was asked for');
  if (status === 401)
    return new ProviderError(
      'refused',
      stage,
      `Monnify does not accept its own access token: ${messageOf(answer)}`,
    );
  return isRefused(answer)
    ? new ProviderError('refused', stage, messageOf(answer))
    : new ProviderError('unknown', stage, `${messageOf(answer)} (HTTP ${status})`);
}

function isRefused(answer: ProviderAnswer): boolean {
  return (
    refusedStatuses.has(answer.status) &&
    refusalOf(answer) === '99' &&
    !internalError.test(messageOf(answer))
  );
}

export function messageOf({ status, json }: ProviderAnswer): string {
  return plainText(json.responseMessage) || `HTTP ${status}`;
}

function codeOf({ json }: ProviderAnswer): string {
  return String(json.responseCode).trim();
}
