import type { ProviderAnswer } from '../http.ts';
import { ProviderError } from '../provider.ts';
import { plainText } from '../read.ts';

/**
 * Paystack's own answers carry `status` (true or false) and `message`. Whatever does not, an HTML page of a proxy in between for
 * instance, is nobody's word on a payment.
 */
export function isPaystacks({ json }: ProviderAnswer): boolean {
  return typeof json.status === 'boolean' && typeof json.message === 'string';
}

/** True when the call worked. What became of the payment stands in `data`. */
export function isGood(answer: ProviderAnswer): boolean {
  return (
    answer.status >= 200 &&
    answer.status < 300 &&
    isPaystacks(answer) &&
    answer.json.status === true
  );
}

/**
 * An unknown reference is answered with 404, or with 400 and this code or text. It counts only from Paystack itself: "absent" lets a
 * reference be sent again and a charge expire, so a wrong base address or a proxy that has lost its backend must not be able to say it.
 */
export function isNotFound(
  answer: ProviderAnswer,
  what: 'transaction' | 'refund' = 'transaction',
): boolean {
  if (
    !isPaystacks(answer) ||
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
  return answer.status === 404 && code === undefined; // the older form of an error has no code; a newer one says what was not found
}

/** 429 means later. A 4xx of Paystack's own is a plain no. 5xx, redirects and anything unreadable may have happened. */
export function errorOf(answer: ProviderAnswer, stage: string): ProviderError {
  const message = messageOf(answer);
  if (answer.status === 429)
    return new ProviderError('limited', stage, message, { retryAfterMs: answer.retryAfterMs });
  if (!isPaystacks(answer))
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
    );
  if (answer.status >= 400 && answer.status < 500)
    return new ProviderError('refused', stage, message);
  return new ProviderError('unknown', stage, `${message} (HTTP ${answer.status})`);
}

function messageOf(answer: ProviderAnswer): string {
  return plainText(answer.json.message) || `HTTP ${answer.status}`;
}
