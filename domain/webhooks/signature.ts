import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * What is signed of one delivery: the bytes sent, the event's id, and the second of the try.
 */
export interface Signed {
  eventId: string;
  body: string;
  /** Unix seconds. */
  timestamp: number;
}

/** The headers of a delivery. */
export function webhookHeaders(signed: Signed, secrets: readonly string[]): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Payment-Collection-Service/1',
    ...signatureHeaders(signed, secrets),
  };
}

/**
 * Signs in both styles, with every live secret of the endpoint. `Service-Signature` is keyed with
 * the UTF-8 of the whole `whsec_…` string; the Standard Webhooks trio
 * (https://www.standardwebhooks.com) with the 32 bytes its base64 part decodes to.
 */
export function signatureHeaders(
  { eventId, body, timestamp }: Signed,
  secrets: readonly string[],
): Record<string, string> {
  const ours = secrets.map(
    (secret) => `v1=${hmac(secret, `${timestamp}.${body}`).toString('hex')}`,
  );
  const standard = secrets.map(
    (secret) => `v1,${hmac(keyOf(secret), `${eventId}.${timestamp}.${body}`).toString('base64')}`,
  );
  return {
    'service-signature': [`t=${timestamp}`, ...ours].join(','),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}

function hmac(key: string | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** A key object: with bare bytes a signature takes Node three times as long. */
function keyOf(secret: string): KeyObject {
  return createSecretKey(secret.slice('whsec_'.length), 'base64');
}
