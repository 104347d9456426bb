import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

function hashOf(text: string, algorithm: string) {
  return createHash(algorithm).update(text).digest();
}

const text = read('checkout.js');
const version = hashOf(text, 'sha256').toString('hex').slice(0, 16);

/** The checkout script, with what a page needs to load just this version of it. */
export const checkoutScript = {
  text,
  /** Below `/v1`: what this address serves never changes. */
  path: `/checkout-${version}.js`,
  etag: `"${version}"`,
  /** For the `integrity` of a script element. */
  integrity: `sha384-${hashOf(text, 'sha384').toString('base64')}`,
};

/** What a page's Content-Security-Policy has to allow, for a service at this address. */
export function cspLinesFor(publicUrl: string): string[] {
  return [`script-src ${publicUrl}/v1/`, `connect-src ${publicUrl}/v1/charges ${publicUrl}/pay/`];
}

/** The TypeScript declarations of the script. */
export const declarations = read('checkout.d.ts');
