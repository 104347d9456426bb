import { openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { createLogger } from '../../config/logger.ts';
import { settlementContext } from '../../config/settlement-context.ts';
import { reconcile } from '../../domain/settlements/settlement/reconcile.ts';

/**
 * One reconciliation of a connection in a process of its own, which then tells how long it took and the most memory it needed: what is
 * still held right after rubbish was collected. What is not collected yet says how much memory there is, not how much is needed.
 */
const DAY_MS = 86_400_000;
const WEIGHED_EVERY_MS = 2_000;

let mostHeld = 0;
const weigh = () => {
  globalThis.gc!();
  mostHeld = Math.max(mostHeld, process.memoryUsage().heapUsed);
};

await using context = await openContext(readEnv(process.env), { log: createLogger('error') });
const desk = await settlementContext(context, process.env.CONNECTION_ID!, Number.POSITIVE_INFINITY);
const now = Date.now();
const scale = setInterval(weigh, WEIGHED_EVERY_MS);
const startedMs = performance.now();
const { isDone, error } = await reconcile(desk, {
  from: new Date(now - DAY_MS),
  to: new Date(now + DAY_MS),
});
if (error || !isDone) throw error ?? new Error('The reconciliation did not come to its end.');
const seconds = (performance.now() - startedMs) / 1_000;
clearInterval(scale);
weigh();
const memory = { heldMb: mostHeld / 2 ** 20, residentMb: process.resourceUsage().maxRSS / 1_024 };
process.stdout.write(`${JSON.stringify({ seconds, ...memory })}\n`);
