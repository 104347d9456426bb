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
 * 429 means later, a 4xx of Paystack's own a refusal. After a 5xx, a redirect or anything
 * unreadable the call may have taken effect.
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
  if (answer.status >= 400 && answer.status < 500)
    return new ProviderError('refused', stage, message);
  return new ProviderError('unknown', stage, `${message} (HTTP ${answer.status})`);
}

function messageOf(answer: ProviderAnswer): string {
  return plainText(answer.json.message) || `HTTP ${answer.status}`;
}
