import { ProviderError, type ProviderErrorKind } from '../port/provider-error.ts';
import type { ProviderAnswer } from './http.ts';
import { isObject, plainText, type Row, UnclearError } from './read.ts';

export interface AnswerForm {
  provider: string;
  /** Any other answer, such as a proxy's page, says nothing about a payment. */
  isOwn(json: Row): boolean;
  isSuccess(json: Row): boolean;
  result: string;
  messageOf(json: Row): string;
  failureOf(answer: ProviderAnswer, message: string): 'refused' | 'duplicate' | undefined;
  unauthorized: 'the secret key' | 'its own access token';
}

export function isGood({ isOwn, isSuccess }: AnswerForm, { status, json }: ProviderAnswer) {
  return status >= 200 && status < 300 && isOwn(json) && isSuccess(json);
}

export function messageOf(form: AnswerForm, { status, json }: ProviderAnswer): string {
  return plainText(form.messageOf(json)) || `HTTP ${status}`;
}

/** 429 means later. Only a documented refusal is one: after anything else it may have worked. */
export function errorOf(form: AnswerForm, answer: ProviderAnswer): ProviderError {
  const { status, stage, retryAfterMs } = answer;
  const message = messageOf(form, answer);
  const error = (kind: ProviderErrorKind, text: string, options = {}) =>
    new ProviderError(kind, stage, text, options);
  if (status === 429) return error('limited', message, { retryAfterMs });
  if (!form.isOwn(answer.json))
    return error('unknown', `the answer is not one of ${form.provider}'s (HTTP ${status})`);
  if (isGood(form, answer)) return error('unknown', 'the answer does not hold what was asked for');
  if (status === 401)
    return error('refused', `${form.provider} does not accept ${form.unauthorized}: ${message}`, {
      refusesCredentials: form.unauthorized === 'the secret key',
    });
  const kind = form.failureOf(answer, message);
  return kind ? error(kind, message) : error('unknown', `${message} (HTTP ${status})`);
}

export function resultOf(form: AnswerForm, answer: ProviderAnswer): Row | undefined {
  const result = answer.json[form.result];
  return isGood(form, answer) && isObject(result) ? result : undefined;
}

export function recordOf(form: AnswerForm, answer: ProviderAnswer): Row {
  const record = resultOf(form, answer);
  if (!record) throw errorOf(form, answer);
  return record;
}

/** A `tolerant` list's reader looks at each row by itself: what is none is an empty one. */
export function rowsIn(list: unknown, isRow: ((row: Row) => boolean) | 'tolerant'): Row[] {
  const rows = Array.isArray(list) ? list.map((row) => (isObject(row) ? row : {})) : undefined;
  if (rows && (isRow === 'tolerant' || ((list as unknown[]).every(isObject) && rows.every(isRow))))
    return rows;
  throw new UnclearError('the answer holds no list of rows with ids');
}

export function proveCredentials(form: AnswerForm, answer: ProviderAnswer): void {
  if (answer.status === 404) throw new UnclearError('there is no balance at this address');
  if (!isGood(form, answer)) throw errorOf(form, answer);
}
