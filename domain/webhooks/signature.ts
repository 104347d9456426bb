import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

export interface Signed {
  eventId: string;
  body: string;
  /** Unix seconds. */
  timestamp: number;
}

export function webhookHeaders(signed: Signed, secrets: readonly string[]): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Payment-Collection-Service/1',
    ...signatureHeaders(signed, secrets),
  };
}

/**
 * In both styles, with every live secret. `Service-Signature` is keyed with the whole `whsec_…`
 * text, the Standard Webhooks trio (https://www.standardwebhooks.com) with the bytes its base64
 * decodes to.
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

/** With bare bytes a signature takes Node three times as long. */
function keyOf(secret: string): KeyObject {
  return createSecretKey(secret.slice('whsec_'.length), 'base64');
}
