import type { Account, Notification, NotificationHeaders } from '../provider.ts';
import { isObject, isReference, parseObject } from '../read.ts';
import { hmacSha512Holds } from '../signature.ts';

/**
 * Signed with the secret key (https://developers.monnify.com/docs/webhooks), but the sandbox of
 * Monnify signs nothing (https://github.com/Monnify, README of the .NET SDK).
 */
export function readNotification(
  { credentials, mode }: Account,
  headers: NotificationHeaders,
  body: Buffer,
): Notification | undefined {
  const signature = headers['monnify-signature'];
  if (signature === undefined && mode === 'test') return readHint(body);
  return hmacSha512Holds(signature, body, credentials.secret_key ?? '')
    ? readEvent(body)
    : undefined;
}

/**
 * An unsigned notification of the sandbox: a hint to ask about the payments that it names. Nothing
 * else of it is read, not even how much a settlement paid out.
 */
function readHint(body: Buffer): Notification | undefined {
  const event = readEvent(body);
  if (event.references.length + event.paymentIds.length === 0) return undefined;
  return event.about === 'settlement' ? { ...event, about: 'payment' } : event;
}

const subjects: Record<string, Notification['about']> = {
  SUCCESSFUL_TRANSACTION: 'payment',
  REJECTED_PAYMENT: 'payment',
  SUCCESSFUL_REFUND: 'refund',
  FAILED_REFUND: 'refund',
  SETTLEMENT: 'settlement',
};

/**
 * Payment and refund events hold one transaction, a settlement a list. Events of other products are
 * ignored.
 */
export function readEvent(body: Buffer): Notification {
  const json = parseObject(body.toString());
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
    references: unique(named.map(({ paymentReference }) => paymentReference)),
    paymentIds: unique(named.map(({ transactionReference }) => transactionReference)),
  };
}

function unique(names: unknown[]): string[] {
  return [...new Set(names.filter(isReference))];
}
