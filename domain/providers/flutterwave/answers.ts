import type { ProviderAnswer } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import { isObject, plainText } from '../read.ts';

/**
 * True for Flutterwave's own answers, which carry `status` (`success` or `error`) and `message`.
 * Any other answer, such as a proxy's HTML page, says nothing about a payment.
 */
function isFromFlutterwave({ json }: ProviderAnswer): boolean {
  return (json.status === 'success' || json.status === 'error') && typeof json.message === 'string';
}

/** True when the call succeeded. `data` holds the result. */
export function isGood(answer: ProviderAnswer): boolean {
  return (
    answer.status >= 200 &&
    answer.status < 300 &&
    isFromFlutterwave(answer) &&
    answer.json.status === 'success'
  );
}

/** The record in the answer; throws the answer's error where there is none. */
export function recordOf(answer: ProviderAnswer, stage: string): Record<string, unknown> {
  if (!isGood(answer)) throw errorOf(answer, stage);
  if (isObject(answer.json.data)) return answer.json.data;
  throw new ProviderError('unknown', stage, 'the answer holds no record');
}

/** Flutterwave's words for what it may not find. */
export type Thing = 'transaction' | 'refund' | 'chargeback' | 'settlement';

/**
 * Only the text says "not found": mostly with status 400, also with 404 and even 200. It counts
 * only from Flutterwave itself: "absent" lets a charge expire, so a wrong base address or a proxy
 * must not be able to say it.
 */
export function isNotFound(answer: ProviderAnswer, thing: Thing): boolean {
  if (
    !isFromFlutterwave(answer) ||
    isObject(answer.json.data) ||
    ![200, 400, 404].includes(answer.status)
  )
    return false;
  return new RegExp(
    `\\bno ${thing}s?( was| were)? found|\\b${thing}s?( was| were)? not found`,
    'i',
  ).test(messageOf(answer));
}

/**
 * Statuses of a refusal; v3 has no codes. (https://developer.flutterwave.com/v3.0/docs/common-errors)
 */
const refusedStatuses = new Set([400, 401, 403, 404]);

/** Texts of a failure of Flutterwave's own, whatever the status. */
const internalError =
  /error (has )?occurr?ed|something went wrong|internal (server )?error|timed out|try again later/i;

/**
 * 429 means later; a documented status with words for a refusal is one. After anything else the
 * call may have taken effect.
 */
export function errorOf(answer: ProviderAnswer, stage: string): ProviderError {
  const message = messageOf(answer);
  if (answer.status === 429)
    return new ProviderError('limited', stage, message, { retryAfterMs: answer.retryAfterMs });
  if (!isFromFlutterwave(answer))
    return new ProviderError(
      'unknown',
      stage,
      `the answer is not one of Flutterwave's (HTTP ${answer.status})`,
    );
  if (answer.status === 401)
    return new ProviderError(
      'refused',
      stage,
      `Flutterwave does not accept the secret key: ${message}`,
      { refusesCredentials: true },
    );
  if (!refusedStatuses.has(answer.status) || internalError.test(message))
    return new ProviderError('unknown', stage, `${message} (HTTP ${answer.status})`);
  if (stage === 'create' && usedBefore.test(message))
    return new ProviderError('duplicate', stage, message);
  return new ProviderError('refused', stage, message);
}

/** The text for a repeated `tx_ref` is undocumented; these have been seen. */
const usedBefore =
  /(reference|tx_ref)\b.*\b(been used|already|exists)|duplicate\b.*\b(reference|tx_ref)/i;

/**
 * A sentence. Some begin in lower case (`customer.email is required`), some have a detail in
 * `errors`.
 */
function messageOf({ json, status }: ProviderAnswer): string {
  const [first] = Array.isArray(json.errors) ? json.errors : [];
  const detail = isObject(first) ? plainText(first.message) : '';
  const message = plainText(json.message) || `HTTP ${status}`;
  const whole =
    detail === '' || message.includes(detail) ? message : plainText(`${message}: ${detail}`);
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}
