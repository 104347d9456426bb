import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './usage-error.js';

/** From the environment, or asked for: what is typed is not shown, and kept nowhere. */
export async function readKey() {
  const { PAYMENTS_KEY: key } = process.env;
  if (key) return key;
  if (!process.stdin.isTTY) throw new UsageError('Set PAYMENTS_KEY to a secret key, svc_sk_…');
  process.stderr.write('Secret key (svc_sk_…; it is not shown): ');
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  lines.once('SIGINT', () => process.exit(130));
  const answer = await lines.question('');
  lines.close();
  process.stderr.write('\n');
  return answer.trim();
}
