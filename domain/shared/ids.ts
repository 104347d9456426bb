import { randomBytes, randomFillSync } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

/** Every prefix of our identifiers, and what it names. */
export type IdPrefix =
  | 'ten' // tenant
  | 'mem' // member
  | 'key' // api key
  | 'con' // connection
  | 'whe' // webhook endpoint
  | 'txn' // charge, seen as a transaction
  | 'ct' // the same charge, seen as a checkout
  | 'att' // attempt
  | 'cap' // capture
  | 'tle' // timeline entry
  | 'ntf' // notification
  | 'evt' // event
  | 'dlv' // delivery
  | 'ref' // refund
  | 'lnk' // payment link
  | 'stl' // settlement
  | 'dsp' // dispute
  | 'rev' // review
  | 'sln' // line of a settlement
  | 'dsc' // discrepancy
  | 'ctk' // task of a connection
  | 'fam' // token family
  | 'aud' // audit entry
  | 'req'; // request

/** A source of `size` random bytes. */
export type Random = (size: number) => Uint8Array;

const pool = new Uint8Array(4_096);
let used = pool.length;

/** Random bytes that were drawn together with those of other identifiers. Each is used once. */
const pooledBytes: Random = (size) => {
  if (used + size > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
};

/** The tenant id of answers to requests without a known credential. */
export const NIL_TENANT_ID = `ten_${'0'.repeat(26)}`;

/**
 * Makes an identifier: prefix, underscore, 26 characters of Crockford base32 holding a UUIDv7.
 * Identifiers sort by the millisecond in which they were made: keyset cursors depend on it.
 */
export function newId(prefix: IdPrefix, now: Date, random: Random = pooledBytes): string {
  const bytes = v7({ msecs: now.getTime(), random: random(16) }, new Uint8Array(16));
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

/** Makes many identifiers. */
export function newIds(prefix: IdPrefix, now: Date, count: number): string[] {
  return Array.from({ length: count }, () => newId(prefix, now));
}

/**
 * Sorts before every identifier with this prefix made at `instant` or later, and after every one
 * made earlier.
 */
export function firstIdAt(prefix: IdPrefix, instant: Date): string {
  const bytes = new Uint8Array(16);
  const msecs = Math.max(0, instant.getTime()); // UUIDv7 knows no time before 1970
  new DataView(bytes.buffer).setBigUint64(0, BigInt(msecs) << 16n);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

/** When an identifier was made, to the millisecond. */
export function madeAt(id: string): Date {
  const bytes = TypeID.fromString(id).toUUIDBytes();
  return new Date(Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0) >> 16n));
}

/** The UUID in an identifier, as 32 hexadecimal digits. */
export function uuidHexOf(id: string): string {
  return TypeID.fromString(id).toUUID().replaceAll('-', '');
}

/** True when `value` has the shape of one of our identifiers with this prefix. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return (
    value.startsWith(`${prefix}_`) &&
    /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(value.slice(prefix.length + 1))
  );
}

/** The checkout id (`ct_…`) of a charge id (`txn_…`): both name the same row. */
export function checkoutIdOf(chargeId: string): string {
  return `ct_${chargeId.slice('txn_'.length)}`;
}

/** The charge id (`txn_…`) behind a checkout id, or undefined when it is not one. */
export function chargeIdOf(checkoutId: string): string | undefined {
  return isId('ct', checkoutId) ? `txn_${checkoutId.slice('ct_'.length)}` : undefined;
}

/** The service reference of a charge number. */
export function referenceOf(number: number): string {
  return `SV-${number}`;
}

/** The charge number in a service reference (`SV-100001`), or undefined when it is not one. */
export function numberOf(reference: string): number | undefined {
  const digits = /^SV-([1-9][0-9]{0,14})$/.exec(reference)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';

/** `length` random base36 characters: the tail of an attempt's own reference. */
export function randomBase36(length: number, random: Random = randomBytes): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      // 252 = 7 × 36: above it the remainder would favour the first letters.
      if (byte < 252 && text.length < length) text += BASE36[byte % 36];
    }
  }
  return text;
}
