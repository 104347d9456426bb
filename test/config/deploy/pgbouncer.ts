import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAfterDeath } from '../../../scripts/local/after-death.ts';
import { freePort } from '../../../scripts/local/free-port.ts';
import { killed } from '../../support/killed.ts';
import { RARELY_MS, until } from '../../support/until.ts';

/** It does not run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export interface Pgbouncer extends AsyncDisposable {
  url: string;
}

/** Starts pgbouncer in transaction mode; undefined where it is not installed. */
export async function startPgbouncer(databaseUrl: string, connections: number) {
  await using starting = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'payments-pgbouncer-'));
  starting.defer(() => rm(dir, { recursive: true, force: true }));
  await chmod(dir, 0o755);
  const port = await freePort();
  const file = join(dir, 'pgbouncer.ini');
  await writeFile(file, settingsOf(databaseUrl, port, connections));
  const server = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...user });
  const failed = await Promise.race([
    once(server, 'error').then(() => true),
    once(server, 'spawn').then(() => false),
  ]);
  if (failed) return undefined;
  starting.use(runAfterDeath('kill -9 "$1"', [String(server.pid)]));
  starting.defer(() => killed(server));
  await until('pgbouncer', () => takesConnections(port), RARELY_MS);
  const running = starting.move();
  const url = new URL(databaseUrl);
  return {
    url: `postgres://anybody@127.0.0.1:${port}${url.pathname}`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function settingsOf(databaseUrl: string, port: number, connections: number): string {
  const { port: serverPort, username, password } = new URL(databaseUrl);
  return `
[databases]
* = host=127.0.0.1 port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`;
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const connected = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return connected;
}
