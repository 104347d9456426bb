import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/local/free-port.ts';
import { type ApiClient, apiClient } from './api.ts';
import { environmentOf, killed } from './kill.ts';
import type { Stack } from './stack.ts';
import { until } from './until.ts';

/**
 * An API process of its own, as production runs it, and a client of it with the stack's secret test
 * key.
 */
export interface ApiProcess extends AsyncDisposable {
  api: ApiClient;
}

/** Starts one on the stack's database. Its clock is the machine's. */
export async function startApiProcess(stack: Stack): Promise<ApiProcess> {
  for (let triesLeft = 5; ; triesLeft--) {
    await using scope = new AsyncDisposableStack();
    const { child, origin } = spawnApi(stack, await freePort());
    scope.defer(() => killed(child));
    const isReady = async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok;
    await until('an API process', async () => child.exitCode !== null || isReady());
    if (child.exitCode === null) {
      const running = scope.move();
      return {
        api: apiClient(`${origin}/v1`, stack.tenant.secret_key_test),
        [Symbol.asyncDispose]: () => running.disposeAsync(),
      };
    }
    if (triesLeft === 0) throw new Error(`The API process ended with code ${child.exitCode}.`);
  }
}

/**
 * A port that was free a moment ago may be gone by the time the process listens: then it ends, and
 * another is tried.
 */
function spawnApi(stack: Stack, port: number) {
  const main = fileURLToPath(new URL('../../api/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environmentOf(stack), PORT: String(port), LOG_LEVEL: 'error' },
  });
  return { child, origin: `http://127.0.0.1:${port}` };
}
