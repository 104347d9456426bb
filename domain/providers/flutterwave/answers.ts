import type { ProviderAnswer } from '../http.ts';
import { ProviderError } from '../provider.ts';
import { isObject, plainText } from '../read.ts';

/**
 * Flutterwave's own answers carry `status` (`success` or `error`) and `message`. Whatever does not, an HTML page of a proxy in between
 * for instance, is nobody's word on a payment.
 */
function isFlutterwaves({ json }: ProviderAnswer): boolean {
  return (json.status === 'success' || json.status === 'error') && typeof json.message === 'string';
}

/** True when the call worked. What became of the payment stands in `data`. */
export function isGood(answer: ProviderAnswer): boolean {
  return (
    answer.status >= 200 &&
    answer.status < 300 &&
    isFlutterwaves(answer) &&
    answer.json.status === 'success'
  );
}

/** The record a call answers with; throws what the answer means where it is none. */
export function recordOf(answer: ProviderAnswer, stage: string): Record<string, unknown> {
  if (!isGood(answer)) throw errorOf(answer, stage);
  if (isObject(answer.json.data)) return answer.json.data;
  throw new ProviderError('unknown', stage, 'the answer holds no record');
}

/** What Flutterwave says is not there, by its word for it. */
export type Thing = 'transaction' | 'refund' | 'chargeback' | 'settlement';

/**
 * What is not there is told by the text alone: under 400 mostly, under 404 and even under 200. It counts only from Flutterwave itself:
 * "absent" lets a charge expire, so a wrong base address or a proxy that has lost its backend must not be able to say it.
 */
export function isNotFound(answer: ProviderAnswer, thing: Thing): boolean {
  if (
    !isFlutterwaves(answer) ||
    isObject(answer.json.data) ||
    ![200, 400, 404].includes(answer.status)
  )
    return false;
  return new RegExp(
    `\\bno ${thing}s?( was| were)? found|\\b${thing}s?( was| were)? not found`,
    'i',
  ).test(messageOf(answer));
}

/** 429 means later. A 4xx of Flutterwave's own is a plain no. 5xx, redirects and anything unreadable may have happened. */
export function errorOf(answer: ProviderAnswer, stage: string): ProviderError {
  const message = messageOf(answer);
  if (answer.status === 429)
    return new ProviderError('limited', stage, message, { retryAfterMs: answer.retryAfterMs });
  if (!isFlutterwaves(answer))
    return new ProviderError(
      'unknown',
      stage,
      `the answer is not one of Flutterwave's (HTTP ${answer.status})`,
    );
  if (answer.status < 400 || answer.status >= 500)
    return new ProviderError('unknown', stage, `${message} (HTTP ${answer.status})`);
  if (stage === 'create' && usedBefore.test(message))
    return new ProviderError('duplicate', stage, message);
  if (answer.status === 401)
    return new ProviderError(
      'refused',
      stage,
      `Flutterwave does not accept the secret key: ${message}`,
    );
  return new ProviderError('refused', stage, message);
}

/** No text is documented for a `tx_ref` that comes again; these have been seen. */
const usedBefore =
  /(reference|tx_ref)\b.*\b(been used|already|exists)|duplicate\b.*\b(reference|tx_ref)/i;

/** A sentence, though some begin small: `customer.email is required`. Some refusals name what is wrong with a body besides. */
function messageOf({ json, status }: ProviderAnswer): string {
  const [first] = Array.isArray(json.errors) ? json.errors : [];
  const detail = isObject(first) ? plainText(first.message) : '';
  const message = plainText(json.message) || `HTTP ${status}`;
  const whole =
    detail === '' || message.includes(detail) ? message : plainText(`${message}: ${detail}`);
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}
