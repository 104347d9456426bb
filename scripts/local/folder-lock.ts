import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SetupError } from '../../config/setup-error.ts';

/** Locks a folder for this process by a listening socket, which ends with it however that ends. */
export async function lockFolder(dir: string): Promise<AsyncDisposable> {
  const path = socketOf(dir);
  const server = createServer((socket) => socket.on('error', () => {}).end(String(process.pid)));
  while (!(await listens(server.unref(), path))) {
    const owner = await ownerOf(path);
    if (owner) {
      throw new SetupError(
        `Another stack (process ${owner}) is using ${dir}; stop it or set LOCAL_DIR to another folder.`,
      );
    }
    if (hasFile(path)) await rm(path, { force: true }); // a killed process leaves it
  }
  return {
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

/** Linux has sockets without files. Elsewhere the path of a socket must be short. */
function socketOf(dir: string): string {
  const name = `payment-collection-${createHash('sha256').update(dir).digest('hex').slice(0, 24)}`;
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

const hasFile = (socket: string): boolean => !socket.startsWith('\0');

function listens(server: ReturnType<typeof createServer>, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error);
    server.once('error', refuse).listen(path, () => {
      server.off('error', refuse);
      resolve(true);
    });
  });
}

/** The pid of the process that listens there; undefined when nobody does. */
async function ownerOf(path: string): Promise<string | undefined> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return await Promise.race([once(socket, 'data').then(String), delay(1_000, 'suspended')]);
  } catch {
    return undefined;
  } finally {
    socket.on('error', () => {}).destroy();
  }
}
