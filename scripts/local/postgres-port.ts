import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { SetupError } from '../../config/setup-error.ts';

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  return listenOnce(0);
}

/** The port that was asked for, or a sentence when it cannot be had. */
export async function assertFreePort(port: number): Promise<number> {
  try {
    return await listenOnce(port);
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
        ? 'is taken'
        : `cannot be used (${(error as Error).message})`;
    throw new SetupError(
      `Port ${port} of 127.0.0.1, meant for PostgreSQL, ${reason}: free it or set PORT to another number.`,
    );
  }
}

async function listenOnce(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
