import { hash } from 'node:crypto';

/** Hashes a text's UTF-8 or bytes; lowercase hex. */
export function sha256Of(data: string | Buffer): string {
  return hash('sha256', data, 'hex');
}
