import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export interface ScriptVersion {
  text: string;
  /** Below `/v1`: what this address serves never changes. */
  path: string;
  etag: string;
  /** For the `integrity` of a script element. */
  integrity: string;
}

export const checkoutScript = readVersion(new URL('checkout.js', import.meta.url));

/** The newest, and the files of this folder. */
export function scriptVersions(earlier = new URL('earlier/', import.meta.url)): ScriptVersion[] {
  const files = readdirSync(earlier).filter((name) => name.endsWith('.js'));
  return [checkoutScript, ...files.map((name) => readVersion(new URL(name, earlier)))];
}

export const declarations = readFileSync(new URL('checkout.d.ts', import.meta.url), 'utf8');

/** What a page's Content-Security-Policy has to allow, for a service at this address. */
export function cspLinesFor(publicUrl: string): string[] {
  return [`script-src ${publicUrl}/v1/`, `connect-src ${publicUrl}/v1/charges ${publicUrl}/pay/`];
}

function readVersion(file: URL): ScriptVersion {
  const text = readFileSync(file, 'utf8');
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return {
    text,
    path: `/checkout-${version}.js`,
    etag: `"${version}"`,
    integrity: `sha384-${createHash('sha384').update(text).digest('base64')}`,
  };
}
