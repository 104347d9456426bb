import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to a server that can be cut and mended. */
export interface Breakable extends AsyncDisposable {
  /** The server's address through the proxy. */
  url: string;
  /** Ends every connection and takes no new one. */
  cut(): void;
  /**
   * Lets nothing more through on open connections without closing them; new ones work.
   */
  silence(): void;
  mend(): void;
}

/** Starts a proxy between the service and a store. */
export async function breakable(target: string): Promise<Breakable> {
  const { hostname, port } = new URL(target);
  const folder = decodeURIComponent(hostname);
  const connectToTarget = () =>
    folder.startsWith('/')
      ? connect(`${folder}/.s.PGSQL.${port}`)
      : connect(Number(port), hostname);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connectToTarget();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from
        .on('error', () => {})
        .on('close', () => {
          open.delete(from);
          to.destroy();
        });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    silence: () => {
      for (const socket of open) socket.unpipe().pause();
    },
    mend: () => {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
    },
  };
}
