import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ApiClient, apiClient } from './api.ts';
import { environmentOf, killed } from './kill.ts';
import { freePort } from './run.ts';
import type { Stack } from './stack.ts';
import { until } from './until.ts';

/** An API process of its own, as production runs it, and a client of it with the stack's secret test key. */
export interface ApiProcess extends AsyncDisposable {
  api: ApiClient;
}

/** Starts one on the stack's database. Its clock is the machine's. */
export async function startApiProcess(stack: Stack): Promise<ApiProcess> {
  const port = String(await freePort());
  const main = fileURLToPath(new URL('../../api/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environmentOf(stack), PORT: port, LOG_LEVEL: 'error' },
  });
  const origin = `http://127.0.0.1:${port}`;
  await until('an API process', async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok);
  return { api: apiClient(`${origin}/v1`, stack.tenant.secret_key_test), [Symbol.asyncDispose]: () => killed(child) };
}
