import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SetupError } from './setup-error.ts';

export interface Listening extends AsyncDisposable {
  port: number;
}

const CLOSE_WITHIN_MS = 10_000;

/** Starts listening. Throws one clear sentence when the port, set by `setting`, is taken. */
export async function listen(
  server: Server,
  port: number,
  host?: string,
  setting = 'PORT',
): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? portTaken(port, setting) : error),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
      await closed;
      clearTimeout(cut);
    },
  };
}

function portTaken(port: number, setting: string): SetupError {
  return new SetupError(
    `Port ${port} is in use: stop what listens there, or set ${setting} to another one.`,
  );
}
