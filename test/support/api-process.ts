import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { apiClient } from './api.ts';
import { environmentOf } from './kill.ts';
import { killed } from './killed.ts';
import type { Stack } from './stack.ts';

export type ApiProcess = Awaited<ReturnType<typeof startApiProcess>>;

/**
 * Starts an API process as production runs it, on the stack's database, with these options of Node
 * and these settings; its clock is the machine's. Its client has the secret test key.
 */
export async function startApiProcess(
  stack: Stack,
  nodeOptions: readonly string[] = [],
  settings: Record<string, string> = {},
) {
  const child = spawnApi(stack, nodeOptions, settings);
  await using scope = new AsyncDisposableStack();
  scope.defer(() => killed(child));
  const port = await portOf(child);
  const running = scope.move();
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    api: apiClient(`${origin}/v1`, stack.tenant.secret_key_test),
    async peakMb() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1_024;
    },
    /** Sends it SIGTERM. Resolves when it has ended: its exit code, or the signal that ended it. */
    async stop(): Promise<number | NodeJS.Signals> {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      return code ?? signal;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function spawnApi(stack: Stack, nodeOptions: readonly string[], settings: object): ChildProcess {
  const main = fileURLToPath(new URL('../../api/main.ts', import.meta.url));
  return spawn(process.execPath, [...nodeOptions, main], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...environmentOf(stack), PORT: '0', ...settings },
  });
}

/**
 * The system chose it, so no other process can answer there: the log tells which. It is read to its
 * end, as a full pipe would keep the process from ending.
 */
function portOf({ stderr }: ChildProcess): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let log = '';
  let isFound = false;
  stderr!.on('data', (chunk) => {
    if (isFound) return;
    log += chunk;
    const line = log.split('\n').find((line) => line.includes('api listening'));
    if (!line?.endsWith('}')) return;
    isFound = true;
    resolve(JSON.parse(line).port);
  });
  stderr!.on('end', () => reject(new Error(`The API process did not start: ${log}`)));
  return promise;
}
