import { eventName, isSigned, notificationOf } from '../adapter/notification.ts';
import type { ReadNotification } from '../adapter/open.ts';
import { isObject, parseObject } from '../adapter/read.ts';
import type { Notification } from '../port/provider.ts';

/** Signed with the secret key. (https://paystack.com/docs/payments/webhooks/) */
export const readNotification: ReadNotification = (
  { credentials },
  { 'x-paystack-signature': signature },
  body,
) => (isSigned(signature, body, credentials.secret_key) ? readEvent(body) : undefined);

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
