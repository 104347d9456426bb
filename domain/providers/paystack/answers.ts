import type { ProviderAnswer } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import { plainText } from '../read.ts';

/**
 * True for Paystack's own answers, which carry `status` (a boolean) and `message`. Any other
 * answer, such as a proxy's HTML page, says nothing about a payment.
 */
export function isFromPaystack({ json }: ProviderAnswer): boolean {
  return typeof json.status === 'boolean' && typeof json.message === 'string';
}

/** True when the call succeeded. `data` holds the result. */
export function isGood(answer: ProviderAnswer): boolean {
  return (
    answer.status >= 200 &&
    answer.status < 300 &&
    isFromPaystack(answer) &&
    answer.json.status === true
  );
}

/**
 * Paystack answers an unknown reference with 404, or with 400 and this code or text. It counts only
 * from Paystack itself: "absent" lets a reference be sent again and a charge expire, so a wrong
 * base address or a proxy must not be able to say it.
 */
export function isNotFound(
  answer: ProviderAnswer,
  what: 'transaction' | 'refund' = 'transaction',
): boolean {
  if (
    !isFromPaystack(answer) ||
    answer.json.status === true ||
    (answer.status !== 404 && answer.status !== 400)
  )
    return false;
  const { code } = answer.json;
  if (
    code === `${what}_not_found` ||
    new RegExp(`${what}.* not found`, 'i').test(messageOf(answer))
  )
    return true;
  // The older form of an error has no code; the newer one says what was not found.
  return answer.status === 404 && code === undefined;
}

/**
 * Statuses of a request that was not fulfilled. (https://paystack.com/docs/api/#http-status-codes)
 */
const refusedStatuses = new Set([400, 401, 403, 404, 422]);

/**
 * `type` of an error that Paystack itself found; older errors have none. A `processor_error` comes
 * from a bank, which may have acted. (https://paystack.com/docs/api/errors/)
 */
const refusedTypes = new Set([undefined, null, 'validation_error', 'api_error']);

/**
 * 429 means later; a documented status and type of Paystack's own is a refusal, unless its code
 * says that the cause is unknown. After anything else the call may have taken effect.
 */
export function errorOf(answer: ProviderAnswer, stage: string): ProviderError {
  const message = messageOf(answer);
  if (answer.status === 429)
    return new ProviderError('limited', stage, message, { retryAfterMs: answer.retryAfterMs });
  if (!isFromPaystack(answer))
    return new ProviderError(
      'unknown',
      stage,
      `the answer is not one of Paystack's (HTTP ${answer.status})`,
    );
  if (
    answer.json.code === 'duplicate_reference' ||
    /duplicate transaction reference/i.test(message)
  ) {
    return new ProviderError('duplicate', stage, message);
  }
  if (answer.status === 401)
    return new ProviderError(
      'refused',
      stage,
      `Paystack does not accept the secret key: ${message}`,
      { refusesCredentials: true },
    );
  if (isRefused(answer)) return new ProviderError('refused', stage, message);
  return new ProviderError('unknown', stage, `${message} (HTTP ${answer.status})`);
}

function isRefused({ status, json }: ProviderAnswer): boolean {
  const { type, code } = json;
  return (
    refusedStatuses.has(status) && refusedTypes.has(type as string | null) && code !== 'unknown'
  );
}

function messageOf(answer: ProviderAnswer): string {
  return plainText(answer.json.message) || `HTTP ${answer.status}`;
}
