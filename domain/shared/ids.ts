import { randomBytes, randomFillSync } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

export type IdPrefix =
  | 'ten' // tenant
  | 'mem' // member
  | 'key' // api key
  | 'con' // connection
  | 'whe' // webhook endpoint
  | 'txn' // charge, seen as a transaction
  | 'ct' // the same charge, seen as a checkout
  | 'cus' // the customer whose charge it is
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
  | 'dre' // response to a dispute
  | 'rev' // review
  | 'sln' // line of a settlement
  | 'dsc' // discrepancy
  | 'ctk' // task of a connection
  | 'fam' // token family
  | 'aud' // audit entry
  | 'req' // request
  | 'eml' // mail
  | 'btx'; // posting, seen as a balance transaction

export type Random = (size: number) => Uint8Array;

const pool = new Uint8Array(4_096);
let used = pool.length;

/** Drawn together with those of other identifiers. Each is used once. */
const pooledBytes: Random = (size) => {
  if (used + size > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
};

/** For requests without a known credential. */
export const NIL_TENANT_ID = `ten_${'0'.repeat(26)}`;

/**
 * Prefix and UUIDv7 in Crockford base32. Ids sort by their millisecond: keyset cursors depend on
 * it.
 */
export function newId(prefix: IdPrefix, now: Date, random: Random = pooledBytes): string {
  const bytes = v7({ msecs: now.getTime(), random: random(16) }, new Uint8Array(16));
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

export function newIds(prefix: IdPrefix, now: Date, count: number): string[] {
  return Array.from({ length: count }, () => newId(prefix, now));
}

/** Sorts before every id made at `instant` or later, and after every earlier one. */
export function firstIdAt(prefix: IdPrefix, instant: Date): string {
  const bytes = new Uint8Array(16);
  const msecs = Math.max(0, instant.getTime()); // UUIDv7 knows no time before 1970
  new DataView(bytes.buffer).setBigUint64(0, BigInt(msecs) << 16n);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

/** To the millisecond. */
export function madeAt(id: string): Date {
  const bytes = TypeID.fromString(id).toUUIDBytes();
  return new Date(Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0) >> 16n));
}

/** As 32 hexadecimal digits. */
export function uuidHexOf(id: string): string {
  return TypeID.fromString(id).toUUID().replaceAll('-', '');
}

export function isId(prefix: IdPrefix, value: string): boolean {
  return (
    value.startsWith(`${prefix}_`) &&
    /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(value.slice(prefix.length + 1))
  );
}

/** Both name the same row. */
export function checkoutIdOf(chargeId: string): string {
  return `ct_${chargeId.slice('txn_'.length)}`;
}

/** Undefined: it is none. */
export function chargeIdOf(checkoutId: string): string | undefined {
  return isId('ct', checkoutId) ? `txn_${checkoutId.slice('ct_'.length)}` : undefined;
}

/** Each charge of a customer names them; their own id is that of the first. */
export function customerIdOf(chargeId: string): string {
  return `cus_${chargeId.slice('txn_'.length)}`;
}

/** Undefined: it is none. */
export function chargeIdOfCustomer(customerId: string): string | undefined {
  return isId('cus', customerId) ? `txn_${customerId.slice('cus_'.length)}` : undefined;
}

export function referenceOf(number: number): string {
  return `SV-${number}`;
}

/** Undefined: it is none. */
export function numberOf(reference: string): number | undefined {
  const digits = /^SV-([1-9][0-9]{0,14})$/.exec(reference)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Of a list's filter: 0, which no charge has, for a number beyond ours. */
export function wantedNumber(reference: string | undefined): number | undefined {
  return reference === undefined ? undefined : (numberOf(reference) ?? 0);
}

const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';

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
