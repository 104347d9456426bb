import { hash } from 'node:crypto';

/** Of a text's UTF-8 or of bytes; lowercase hex. */
export function sha256Of(data: string | Buffer): string {
  return hash('sha256', data, 'hex');
}
