import { setTimeout as pause } from 'node:timers/promises';
import type { Market } from './market.ts';

/** How often it is tried again while the sandbox is away or has no such payment yet. */
const AGAIN_MS = 500;
const PATIENCE_MS = 180_000;

/**
 * Has the sandbox do what its control side offers, as soon as it can be done. Returns the provider
 * it was done at; undefined where it was done before, or could not be.
 */
export async function control(
  { stack, ended }: Pick<Market, 'stack' | 'ended'>,
  path: 'pay' | 'reverse' | 'dispute',
  input: { reference: string; [field: string]: unknown },
): Promise<string | undefined> {
  const givesUpAt = Date.now() + PATIENCE_MS;
  while (!ended.aborted && Date.now() < givesUpAt) {
    const answer = await fetch(`${stack.sandboxUrl}/_control/${path}`, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' } },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(10_000),
    })
      .then(async (response) => ({
        status: response.status,
        json: (await response.json()) as { provider?: string },
      }))
      .catch(() => undefined);
    if (answer?.status === 200) return answer.json.provider;
    if (answer?.status === 409) return undefined;
    await pause(AGAIN_MS);
  }
  return undefined;
}
