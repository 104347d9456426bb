import type { Account, Notification, NotificationHeaders } from '../provider.ts';
import { isObject, isReference, parseObject } from '../read.ts';
import { hmacSha512Holds } from '../signature.ts';

/** Signed with the secret key. (https://paystack.com/docs/payments/webhooks/) */
export function readNotification(
  { credentials }: Account,
  headers: NotificationHeaders,
  body: Buffer,
): Notification | undefined {
  const signature = headers['x-paystack-signature'];
  return hmacSha512Holds(signature, body, credentials.secret_key ?? '')
    ? readEvent(body)
    : undefined;
}

/** Charge events hold the payment itself; refund and dispute events name or nest it. */
export function readEvent(body: Buffer): Notification {
  const json = parseObject(body.toString());
  const data = isObject(json.data) ? json.data : {};
  const nested = isObject(data.transaction) ? data.transaction.reference : undefined;
  const references = [data.reference, data.transaction_reference, nested].filter(isReference);
  const isEvent = typeof json.event === 'string' && /^[\w.-]{1,100}$/.test(json.event);
  const event = isEvent ? (json.event as string) : 'unknown';
  return { event, about: aboutOf(event), references: [...new Set(references)], paymentIds: [] };
}

function aboutOf(event: string): Notification['about'] {
  if (event.startsWith('refund.')) return 'refund';
  if (event.startsWith('charge.dispute.')) return 'dispute';
  return event.startsWith('charge.') ? 'payment' : 'other';
}
