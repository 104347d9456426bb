import { createHash, timingSafeEqual } from 'node:crypto';
import { eventName, notificationOf } from '../adapter/notification.ts';
import type { ReadNotification } from '../adapter/open.ts';
import { isObject, numericId, parseObject } from '../adapter/read.ts';
import type { Notification } from '../port/provider.ts';

/**
 * `verif-hash` repeats the secret hash of the account: it proves the sender, not the content. Where
 * no hash is set, none is sent. (https://developer.flutterwave.com/v3.0/docs/webhooks)
 */
export const readNotification: ReadNotification = (
  { credentials: { secret_hash: secretHash } },
  { 'verif-hash': hash },
  body,
) => {
  if (typeof hash !== 'string' || hash === '' || !secretHash) return undefined;
  // Digests have one length, and the time of comparing them reveals nothing about the hash.
  return timingSafeEqual(digestOf(hash), digestOf(secretHash)) ? readEvent(body) : undefined;
};

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * An event with `data`, an older flat payment (`txRef`), or a flat refund (`TransactionId`). Only
 * under `charge.…` does `data.id` name a payment.
 */
export function readEvent(body: Buffer): Notification {
  const json = parseObject(body.toString());
  const { event, data, txRef, TransactionId, 'event.type': type } = json;
  if (isObject(data)) {
    const name = eventName(event);
    const about = aboutOf(name);
    if (about === 'other') return notificationOf(name, about);
    const others = [data.transaction_id, data.tx_id, data.TransactionId];
    const ids = about === 'payment' ? [data.id] : others;
    return notificationOf(name, about, [data.tx_ref, data.txRef], ids.map(numericId));
  }
  if (TransactionId !== undefined && event === undefined)
    return notificationOf('refund', 'refund', [], [numericId(TransactionId)]);
  if (txRef === undefined) return notificationOf(eventName(event ?? type), 'other');
  return notificationOf(eventName(type), 'payment', [txRef], [numericId(json.id)]);
}

function aboutOf(event: string): Notification['about'] {
  if (/refund/i.test(event)) return 'refund';
  if (/chargeback|dispute/i.test(event)) return 'dispute';
  return event.startsWith('charge.') ? 'payment' : 'other';
}
