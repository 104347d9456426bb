import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type RunAs, spawnAs } from './postgres-user.ts';

/** Waits for the pipe to us to close, then asks for a fast shutdown. */
const script = 'read -r line; kill -INT "$1"';

/**
 * Stops PostgreSQL when we are killed before we could. A shell holds the other end of a pipe that closes with us however we end; it must
 * be disposed of as soon as the server is gone, because its pid may be given out again.
 */
export function guardAgainstOurDeath(pid: number, user: RunAs | undefined): AsyncDisposable {
  const guard = spawnAs(user, (options) =>
    spawn('/bin/sh', ['-c', script, 'sh', String(pid)], {
      ...options,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    }),
  );
  const ended = once(guard, 'exit').catch(() => undefined); // without /bin/sh there is no guard; the next start takes an orphan over
  guard.unref();
  (guard.stdin as Socket).unref();
  const end = async () => {
    guard.ref();
    guard.kill('SIGKILL');
    await ended;
  };
  return { [Symbol.asyncDispose]: end };
}
