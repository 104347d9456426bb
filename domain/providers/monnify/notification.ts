import { eventName, isSigned, notificationOf } from '../adapter/notification.ts';
import type { ReadNotification } from '../adapter/open.ts';
import { isObject, parseObject } from '../adapter/read.ts';
import type { Notification } from '../port/provider.ts';

/**
 * Signed with the secret key (https://developers.monnify.com/docs/webhooks), but the sandbox of
 * Monnify signs nothing (https://github.com/Monnify, README of the .NET SDK).
 */
export const readNotification: ReadNotification = (
  { credentials, mode },
  { 'monnify-signature': signature },
  body,
) => {
  if (signature === undefined && mode === 'test') return readHint(body);
  return isSigned(signature, body, credentials.secret_key) ? readEvent(body) : undefined;
};

/** Nothing else of an unsigned notification is read, not even how much a settlement paid out. */
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

export function readEvent(body: Buffer): Notification {
  const { eventType, eventData } = parseObject(body.toString());
  const event = eventName(eventType);
  if (!Object.hasOwn(subjects, event)) return notificationOf(event, 'other');
  const data = isObject(eventData) ? eventData : {};
  const lines = Array.isArray(data.transactions) ? data.transactions.filter(isObject) : [];
  const named = [data, ...lines];
  return notificationOf(
    event,
    subjects[event]!,
    named.map(({ paymentReference }) => paymentReference),
    named.map(({ transactionReference }) => transactionReference),
  );
}
