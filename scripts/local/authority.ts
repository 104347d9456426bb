import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../../config/setup-error.ts';
import { run } from './run-as.ts';

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const DAYS = 2;

/** Makes an authority of two days below `dir`, by openssl. `file` is its certificate. */
export async function openAuthority(dir: string) {
  const at = (name: string) => join(dir, name);
  const file = at('authority.pem');
  await openssl(
    ...['req', '-x509', ...KEY, '-days', String(DAYS), '-subj', '/CN=Authority of this run'],
    ...['-keyout', at('authority.key'), '-out', file],
  );
  return {
    file,
    /** A certificate for `localhost`; of less than no days an expired one. */
    async issue(name: string, days = DAYS) {
      const [request, keyFile, certFile] = ['csr', 'key', 'crt'].map((kind) =>
        at(`${name}.${kind}`),
      );
      await openssl(
        ...['req', '-new', ...KEY, '-subj', `/CN=localhost`, '-keyout', keyFile!, '-out', request!],
        ...['-addext', 'subjectAltName=DNS:localhost'],
        ...['-addext', 'basicConstraints=critical,CA:FALSE'],
      );
      await openssl(
        ...['x509', '-req', '-in', request!, '-copy_extensions', 'copyall', '-out', certFile!],
        ...['-CA', file, '-CAkey', at('authority.key'), '-CAcreateserial', '-days', String(days)],
      );
      const [cert, key] = await Promise.all([
        readFile(certFile!, 'utf8'),
        readFile(keyFile!, 'utf8'),
      ]);
      /** Certificate and key in one file, as HAProxy reads them. */
      const both = at(`${name}.pem`);
      await writeFile(both, cert + key, { mode: 0o600 });
      return { cert, key, both };
    },
  };
}

async function openssl(...args: string[]): Promise<void> {
  const { ok, output } = await run('openssl', args);
  if (!ok) throw new SetupError(`openssl made no certificate: ${output}`);
}
