import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Notification } from '../provider.ts';
import { isObject, isReference } from '../read.ts';

/** HMAC-SHA512 of the raw bytes keyed with the secret key, lowercase hex. (https://developers.monnify.com/docs/webhooks) */
export function signatureHolds(
  header: string | string[] | undefined,
  body: Buffer,
  secretKey: string,
): boolean {
  if (typeof header !== 'string' || secretKey === '') return false;
  const expected = Buffer.from(createHmac('sha512', secretKey).update(body).digest('hex'));
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const subjects: Record<string, Notification['about']> = {
  SUCCESSFUL_TRANSACTION: 'payment',
  REJECTED_PAYMENT: 'payment',
  SUCCESSFUL_REFUND: 'refund',
  FAILED_REFUND: 'refund',
  SETTLEMENT: 'settlement',
};

/** Payment and refund events carry one transaction, a settlement a list of them. Events of other products are about nothing of ours. */
export function readEvent(body: Buffer): Notification {
  const json = parseEvent(body);
  const event =
    typeof json.eventType === 'string' && /^[\w.-]{1,100}$/.test(json.eventType)
      ? json.eventType
      : 'unknown';
  if (!Object.hasOwn(subjects, event))
    return { event, about: 'other', references: [], paymentIds: [] };
  const data = isObject(json.eventData) ? json.eventData : {};
  const lines = Array.isArray(data.transactions) ? data.transactions.filter(isObject) : [];
  const named = [data, ...lines];
  return {
    event,
    about: subjects[event]!,
    references: once(named.map(({ paymentReference }) => paymentReference)),
    paymentIds: once(named.map(({ transactionReference }) => transactionReference)),
  };
}

function once(names: unknown[]): string[] {
  return [...new Set(names.filter(isReference))];
}

/** A notification's body; `{}` when it is no JSON object. */
export function parseEvent(body: Buffer | string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(body));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
