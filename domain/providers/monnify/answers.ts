import type { ProviderAnswer } from '../http.ts';
import { ProviderError } from '../provider.ts';
import { isObject, plainText } from '../read.ts';

/**
 * Monnify's own answers carry `requestSuccessful` and `responseCode`. Whatever does not, an HTML page of a proxy in between for
 * instance, is nobody's word on a payment.
 */
export function isMonnifys({ json }: ProviderAnswer): boolean {
  return (
    typeof json.requestSuccessful === 'boolean' &&
    /^(string|number)$/.test(typeof json.responseCode)
  );
}

/** What a call that worked answers with; undefined when it did not. What became of the payment stands in it. */
export function bodyOf(answer: ProviderAnswer): Record<string, unknown> | undefined {
  const { responseBody } = answer.json;
  return worked(answer) && isObject(responseBody) ? responseBody : undefined;
}

/** True when a call worked, and there is nothing to tell. */
export function isEmpty(answer: ProviderAnswer): boolean {
  return worked(answer) && (answer.json.responseBody ?? null) === null;
}

function worked(answer: ProviderAnswer): boolean {
  const { status, json } = answer;
  return (
    status >= 200 &&
    status < 300 &&
    isMonnifys(answer) &&
    json.requestSuccessful === true &&
    codeOf(answer) === '0'
  );
}

/** The code of a plain no of Monnify's own: `99` as text or number, `R2`. Undefined where its answer leaves anything open. */
export function refusalOf(answer: ProviderAnswer): string | undefined {
  const isRefusal =
    isMonnifys(answer) &&
    answer.json.requestSuccessful === false &&
    answer.status >= 200 &&
    answer.status < 500;
  return isRefusal && answer.status !== 429 ? codeOf(answer) : undefined;
}

/**
 * An unknown payment is answered with 404, code 99 and one of two texts. It counts only in full: "absent" lets a reference be sent again
 * and a charge expire, so a wrong path or a proxy that has lost its backend must not be able to say it.
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

/** The reference was used before. The status and code that come with it are not documented, the words are. */
export function isDuplicate(answer: ProviderAnswer): boolean {
  return (
    refusalOf(answer) !== undefined &&
    /duplicate payment reference|payment already exists/i.test(messageOf(answer))
  );
}

/**
 * 429 means later. A 4xx of Monnify's own is a plain no, unless it is the text of an accident. 5xx, redirects and anything unreadable may
 * have happened.
 */
export function errorOf(answer: ProviderAnswer, stage: string): ProviderError {
  const { status, retryAfterMs } = answer;
  if (status === 429)
    return new ProviderError('limited', stage, messageOf(answer), { retryAfterMs });
  if (!isMonnifys(answer))
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
  const isNo =
    status >= 400 &&
    refusalOf(answer) !== undefined &&
    !/error processing the request/i.test(messageOf(answer));
  return isNo
    ? new ProviderError('refused', stage, messageOf(answer))
    : new ProviderError('unknown', stage, `${messageOf(answer)} (HTTP ${status})`);
}

export function messageOf({ status, json }: ProviderAnswer): string {
  return plainText(json.responseMessage) || `HTTP ${status}`;
}

function codeOf({ json }: ProviderAnswer): string {
  return String(json.responseCode).trim();
}
