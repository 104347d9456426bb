import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SetupError } from '../../config/setup-error.ts';
import { run } from '../local/run-as.ts';

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];

/**
 * Makes an authority of two days and its certificate for `localhost`, by openssl. This process
 * believes it from now on; `authority` is its file, for others.
 */
export async function makeCertificates(dir: string) {
  const at = (name: string) => join(dir, name);
  const authority = at('authority.pem');
  await openssl(
    ...['req', '-x509', ...KEY, '-subj', '/CN=Authority of this deployment'],
    ...['-keyout', at('authority.key'), '-out', authority],
  );
  await openssl(
    ...['req', '-x509', ...KEY, '-subj', '/CN=localhost', '-CA', authority],
    ...['-CAkey', at('authority.key'), '-addext', 'subjectAltName=DNS:localhost'],
    ...['-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-keyout', at('localhost.key'), '-out', at('localhost.crt')],
  );
  const [cert, key] = await Promise.all([
    readFile(at('localhost.crt'), 'utf8'),
    readFile(at('localhost.key'), 'utf8'),
  ]);
  /** Certificate and key in one file, as HAProxy reads them. */
  const both = at('localhost.pem');
  await writeFile(both, cert + key, { mode: 0o600 });
  setDefaultCACertificates([...getCACertificates('default'), await readFile(authority, 'utf8')]);
  return { authority, both, cert, key };
}

async function openssl(...args: string[]): Promise<void> {
  const { ok, output } = await run('openssl', args);
  if (!ok) throw new SetupError(`openssl made no certificate: ${output}`);
}
