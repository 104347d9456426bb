import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Notification } from '../port/provider.ts';
import { isReference } from './read.ts';

export function isSigned(
  header: string | string[] | undefined,
  body: Buffer,
  key: string | undefined,
): boolean {
  if (typeof header !== 'string' || !key) return false;
  const expected = Buffer.from(createHmac('sha512', key).update(body).digest('hex'));
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export function notificationOf(
  event: string,
  about: Notification['about'],
  references: unknown[] = [],
  paymentIds: unknown[] = [],
): Notification {
  return { event, about, references: unique(references), paymentIds: unique(paymentIds) };
}

function unique(names: unknown[]): string[] {
  return [...new Set(names.filter(isReference))];
}

export function eventName(event: unknown): string {
  return typeof event === 'string' && /^[\w.-]{1,100}$/.test(event) ? event : 'unknown';
}
