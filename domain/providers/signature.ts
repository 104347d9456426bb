import { createHmac, timingSafeEqual } from 'node:crypto';

/** True when a header holds the HMAC-SHA512 of the raw bytes in lowercase hex. */
export function hmacSha512Holds(
  header: string | string[] | undefined,
  body: Buffer,
  key: string,
): boolean {
  if (typeof header !== 'string' || key === '') return false;
  const expected = Buffer.from(createHmac('sha512', key).update(body).digest('hex'));
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
