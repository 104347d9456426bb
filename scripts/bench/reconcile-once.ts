import { openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { createLogger } from '../../config/logger.ts';
import { payoutDesk } from '../../config/payout-desk.ts';
import { reconcile } from '../../domain/settlement/reconcile.ts';

/** One reconciliation of a connection in a process of its own, which then tells how long it took and the most memory it held. */
const DAY_MS = 86_400_000;

await using context = await openContext(readEnv(process.env), { log: createLogger('error') });
const desk = await payoutDesk(context, process.env.CONNECTION_ID!, Number.POSITIVE_INFINITY);
const now = Date.now();
const startedMs = performance.now();
const { isDone, error } = await reconcile(desk, { from: new Date(now - DAY_MS), to: new Date(now + DAY_MS) });
if (error || !isDone) throw error ?? new Error('The reconciliation did not come to its end.');
const seconds = (performance.now() - startedMs) / 1_000;
process.stdout.write(`${JSON.stringify({ seconds, peakMb: process.resourceUsage().maxRSS / 1_024 })}\n`);
