import { type AnswerForm, messageOf } from '../adapter/answers.ts';
import type { ProviderAnswer } from '../adapter/http.ts';
import { isObject, plainText } from '../adapter/read.ts';

/** An answer of Flutterwave. v3 has no codes: only status and text say what happened. */
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

/** Texts of a failure of Flutterwave's own, whatever the status. */
const internalError =
  /error (has )?occurr?ed|something went wrong|internal (server )?error|timed out|try again later/i;

/** The text for a repeated `tx_ref` is undocumented; these have been seen. */
const usedBefore =
  /(reference|tx_ref)\b.*\b(been used|already|exists)|duplicate\b.*\b(reference|tx_ref)/i;

/** Flutterwave's words for what it may not find. */
export type Thing = 'transaction' | 'refund' | 'chargeback' | 'settlement';

/**
 * Only the text says "not found": mostly with status 400, also with 404 and even 200. It counts
 * only from Flutterwave itself: "absent" lets a charge expire, so a wrong base address or a proxy
 * must not be able to say it.
 */
export function isNotFound(answer: ProviderAnswer, thing: Thing): boolean {
  const { status, json } = answer;
  if (!answerForm.isOwn(json) || isObject(json.data) || ![200, 400, 404].includes(status))
    return false;
  const notFound = `\\bno ${thing}s?( was| were)? found|\\b${thing}s?( was| were)? not found`;
  return new RegExp(notFound, 'i').test(messageOf(answerForm, answer));
}
