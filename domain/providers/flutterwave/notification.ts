import { createHash, timingSafeEqual } from 'node:crypto';
import type { Account, Notification, NotificationHeaders } from '../provider.ts';
import { isObject, isReference, numericId, parseObject } from '../read.ts';

/**
 * `verif-hash` repeats the secret hash of the account: it proves the sender, not the content. Where
 * no hash is set, none is sent. (https://developer.flutterwave.com/v3.0/docs/webhooks)
 */
export function readNotification(
  { credentials }: Account,
  headers: NotificationHeaders,
  body: Buffer,
): Notification | undefined {
  return hashHolds(headers['verif-hash'], credentials.secret_hash ?? '')
    ? readEvent(body)
    : undefined;
}

function hashHolds(header: string | string[] | undefined, secretHash: string): boolean {
  if (typeof header !== 'string' || header === '' || secretHash === '') return false;
  // Digests have one length, and the time of comparing them reveals nothing about the hash.
  return timingSafeEqual(digestOf(header), digestOf(secretHash));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * Three shapes: an event with its `data`; an older flat payment (`txRef`); a flat refund
 * (`TransactionId`).
 */
export function readEvent(body: Buffer): Notification {
  const json = parseObject(body.toString());
  if (isObject(json.data)) return readNested(nameOf(json.event), json.data);
  if (json.TransactionId !== undefined && json.event === undefined)
    return notificationOf('refund', 'refund', [], [json.TransactionId]);
  if (json.txRef !== undefined)
    return notificationOf(nameOf(json['event.type']), 'payment', [json.txRef], [json.id]);
  return notificationOf(nameOf(json.event ?? json['event.type']), 'other', [], []);
}

/**
 * Only under `charge.…` does `data.id` name a payment. How a nested refund or chargeback would look
 * is not documented.
 */
function readNested(event: string, data: Record<string, unknown>): Notification {
  const about = aboutOf(event);
  if (about === 'other') return notificationOf(event, about, [], []);
  const paymentIds =
    about === 'payment' ? [data.id] : [data.transaction_id, data.tx_id, data.TransactionId];
  return notificationOf(event, about, [data.tx_ref, data.txRef], paymentIds);
}

function aboutOf(event: string): Notification['about'] {
  if (/refund/i.test(event)) return 'refund';
  if (/chargeback|dispute/i.test(event)) return 'dispute';
  return event.startsWith('charge.') ? 'payment' : 'other';
}

function notificationOf(
  event: string,
  about: Notification['about'],
  references: unknown[],
  paymentIds: unknown[],
): Notification {
  const ids = paymentIds.map(idOf).filter((id) => id !== null);
  return {
    event,
    about,
    references: [...new Set(references.filter(isReference))],
    paymentIds: [...new Set(ids)],
  };
}

/** A number beyond 2^53 has lost digits, so it names no payment. */
function idOf(id: unknown): string | null {
  return typeof id === 'number' && !Number.isSafeInteger(id) ? null : numericId(id);
}

function nameOf(event: unknown): string {
  return typeof event === 'string' && /^[\w.-]{1,100}$/.test(event) ? event : 'unknown';
}
