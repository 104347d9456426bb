import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';

/** Has a shell run a script once this process has ended, also after kill -9. */
export function runAfterDeath(
  script: string,
  args: string[],
  user: { uid?: number; gid?: number } = {},
): AsyncDisposable {
  const { uid, gid } = user;
  const shell = spawn('/bin/sh', ['-c', `read -r line; ${script}`, 'sh', ...args], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...(uid !== undefined && { uid, gid }),
  });
  const ended = once(shell, 'exit').catch(() => undefined); // a system without /bin/sh
  shell.unref();
  (shell.stdin as Socket).unref();
  return {
    async [Symbol.asyncDispose]() {
      shell.ref();
      shell.kill('SIGKILL');
      await ended;
    },
  };
}
