import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';

/**
 * Has a shell run a script when this process is gone, however it ended: Ctrl-C and kill -9 leave no time for it. The shell holds the
 * other end of a pipe that closes with us. To be disposed of once what the script clears away is gone.
 */
export function afterOurDeath(script: string, ...args: string[]): AsyncDisposable {
  const shell = spawn('/bin/sh', ['-c', `read -r line; ${script}`, 'sh', ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(shell, 'exit');
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
