import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ApiClient, apiClient } from './api.ts';
import { environmentOf, killed } from './kill.ts';
import type { Stack } from './stack.ts';

/**
 * An API process of its own, as production runs it, and a client of it with the stack's secret test
 * key.
 */
export interface ApiProcess extends AsyncDisposable {
  api: ApiClient;
}

/** Starts one on the stack's database. Its clock is the machine's. */
export async function startApiProcess(stack: Stack): Promise<ApiProcess> {
  const child = spawnApi(stack);
  await using scope = new AsyncDisposableStack();
  scope.defer(() => killed(child));
  const port = await portOf(child);
  const running = scope.move();
  return {
    api: apiClient(`http://127.0.0.1:${port}/v1`, stack.tenant.secret_key_test),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function spawnApi(stack: Stack): ChildProcess {
  const main = fileURLToPath(new URL('../../api/main.ts', import.meta.url));
  return spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...environmentOf(stack), PORT: '0' },
  });
}

/** The system chose it, so no other process can answer there: the log tells which. */
async function portOf({ stderr }: ChildProcess): Promise<number> {
  let log = '';
  for await (const chunk of stderr!.iterator({ destroyOnReturn: false })) {
    log += chunk;
    const line = log.split('\n').find((line) => line.includes('api listening'));
    if (!line?.endsWith('}')) continue;
    stderr!.resume(); // a full pipe would stop it
    return JSON.parse(line).port;
  }
  throw new Error(`The API process did not start: ${log}`);
}
