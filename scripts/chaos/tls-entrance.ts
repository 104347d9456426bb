import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { SetupError } from '../../config/setup-error.ts';
import { run } from '../local/run-as.ts';

/** TLS in front of a server, with a certificate that expires. It writes below `dir`. */
export async function openTlsEntrance(target: string, dir: string) {
  const [valid, expired] = [
    await makeCertificate(dir, 'valid', 30),
    await makeCertificate(dir, 'expired', -1),
  ];
  const trusted = join(dir, 'trusted.pem');
  await writeFile(trusted, `${valid.cert}${expired.cert}`);
  const open = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const server = createServer(valid, (near) => {
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket) && other.destroy());
      socket.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const present = (certificate: typeof valid) => {
    server.setSecureContext(certificate);
    for (const socket of open) socket.destroy();
  };
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    /** For NODE_EXTRA_CA_CERTS. */
    trusted,
    expire: () => present(expired),
    renew: () => present(valid),
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

async function makeCertificate(dir: string, name: string, days: number) {
  const [key, request, cert] = ['key', 'csr', 'pem'].map((kind) => join(dir, `${name}.${kind}`));
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
  for (const args of [
    ['req', '-new', ...newKey, ...names, '-keyout', key!, '-out', request!],
    ['x509', '-req', '-in', request!, '-signkey', key!, '-copy_extensions', 'copyall'].concat(
      ...['-days', String(days), '-out', cert!],
    ),
  ]) {
    const made = await run('openssl', args);
    if (!made.ok) throw new SetupError(`openssl made no certificate: ${made.output}`);
  }
  return { key: await readFile(key!, 'utf8'), cert: await readFile(cert!, 'utf8') };
}
