import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { openAuthority } from '../local/authority.ts';

/** TLS in front of a server, with a certificate that expires. It writes below `dir`. */
export async function openTlsEntrance(target: string, dir: string) {
  const authority = await openAuthority(dir);
  const valid = await authority.issue('valid');
  const expired = await authority.issue('expired', -1);
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
    authority: authority.file,
    expire: () => present(expired),
    renew: () => present(valid),
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
