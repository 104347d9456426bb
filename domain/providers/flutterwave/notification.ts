import { createHash, timingSafeEqual } from 'node:crypto';
import type { Notification } from '../provider.ts';
import { isObject, isReference } from '../read.ts';

/**
 * `verif-hash` repeats the secret hash of the account: it proves who sent a notification, and nothing of what is in it. Where none is
 * set, none is sent. (https://developer.flutterwave.com/v3.0/docs/webhooks)
 */
export function hashHolds(header: string | string[] | undefined, secretHash: string): boolean {
  if (typeof header !== 'string' || header === '' || secretHash === '') return false;
  return timingSafeEqual(digestOf(header), digestOf(secretHash)); // digests are of one length, and comparing them tells nothing of the other
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Three shapes: an event with its `data`; an older flat payment (`txRef`); a flat refund (`TransactionId`). */
export function readEvent(body: Buffer): Notification {
  const json = parse(body);
  if (isObject(json.data)) return readNested(nameOf(json.event), json.data);
  if (json.TransactionId !== undefined && json.event === undefined)
    return noticeOf('refund', 'refund', [], [json.TransactionId]);
  if (json.txRef !== undefined)
    return noticeOf(nameOf(json['event.type']), 'payment', [json.txRef], [json.id]);
  return noticeOf(nameOf(json.event ?? json['event.type']), 'other', [], []);
}

/** Only under `charge.…` does `data.id` name a payment. How a nested refund or chargeback would look is not documented. */
function readNested(event: string, data: Record<string, unknown>): Notification {
  const about = aboutOf(event);
  if (about === 'other') return noticeOf(event, about, [], []);
  const paymentIds =
    about === 'payment' ? [data.id] : [data.transaction_id, data.tx_id, data.TransactionId];
  return noticeOf(event, about, [data.tx_ref, data.txRef], paymentIds);
}

function aboutOf(event: string): Notification['about'] {
  if (/refund/i.test(event)) return 'refund';
  if (/chargeback|dispute/i.test(event)) return 'dispute';
  return event.startsWith('charge.') ? 'payment' : 'other';
}

function noticeOf(
  event: string,
  about: Notification['about'],
  references: unknown[],
  paymentIds: unknown[],
): Notification {
  const ids = paymentIds
    .map((id) => (Number.isSafeInteger(id) ? String(id) : id))
    .filter(isPaymentId);
  return {
    event,
    about,
    references: [...new Set(references.filter(isReference))],
    paymentIds: [...new Set(ids)],
  };
}

function isPaymentId(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,20}$/.test(value);
}

function nameOf(event: unknown): string {
  return typeof event === 'string' && /^[\w.-]{1,100}$/.test(event) ? event : 'unknown';
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
