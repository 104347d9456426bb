import { eventName, isSigned, notificationOf } from '../adapter/notification.ts';
import { isObject, parseObject } from '../adapter/read.ts';
import type { Account, Notification, NotificationHeaders } from '../port/provider.ts';

/** Signed with the secret key. (https://paystack.com/docs/payments/webhooks/) */
export function readNotification(
  { credentials }: Account,
  { 'x-paystack-signature': signature }: NotificationHeaders,
  body: Buffer,
): Notification | undefined {
  return isSigned(signature, body, credentials.secret_key) ? readEvent(body) : undefined;
}

/** Charge events hold the payment itself; refund and dispute events name or nest it. */
export function readEvent(body: Buffer): Notification {
  const json = parseObject(body.toString());
  const data = isObject(json.data) ? json.data : {};
  const nested = isObject(data.transaction) ? data.transaction.reference : undefined;
  const references = [data.reference, data.transaction_reference, nested];
  const event = eventName(json.event);
  return notificationOf(event, aboutOf(event), references);
}

function aboutOf(event: string): Notification['about'] {
  if (event.startsWith('refund.')) return 'refund';
  if (event.startsWith('charge.dispute.')) return 'dispute';
  return event.startsWith('charge.') ? 'payment' : 'other';
}
