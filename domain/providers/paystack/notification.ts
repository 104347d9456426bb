import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Notification } from '../provider.ts';
import { isObject, isReference } from '../read.ts';

/** HMAC-SHA512 of the raw bytes keyed with the secret key, lowercase hex. (https://paystack.com/docs/payments/webhooks/) */
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

/** Charge events carry the payment itself, refund and dispute events name or nest it. */
export function readEvent(body: Buffer): Notification {
  const json = parse(body);
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

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
