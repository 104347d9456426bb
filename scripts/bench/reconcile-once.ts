import { openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { createLogger } from '../../config/logger.ts';
import { settlementContext } from '../../config/settlement-context.ts';
import { findConnection } from '../../domain/accounts/connection/connection.ts';
import { reconcile } from '../../domain/settlements/settlement/reconcile.ts';
import { DAY_MS } from '../../domain/shared/units.ts';

// Reconciles a connection once in its own process and prints the time and the most memory it
// needed: the heap right after a garbage collection.
const MEASURED_EVERY_MS = 2_000;

let mostHeapBytes = 0;
const measureMemory = () => {
  globalThis.gc!();
  mostHeapBytes = Math.max(mostHeapBytes, process.memoryUsage().heapUsed);
};

await using context = await openContext(readEnv(process.env), { log: createLogger('error') });
const account = (await findConnection(context.db, process.env.CONNECTION_ID!))!;
const deps = settlementContext(context, account, Number.POSITIVE_INFINITY);
const now = Date.now();
const timer = setInterval(measureMemory, MEASURED_EVERY_MS);
const startedMs = performance.now();
const span = { from: new Date(now - DAY_MS), to: new Date(now + DAY_MS) };
const { isDone, error } = await reconcile(deps, span);
if (error || !isDone) throw error ?? new Error('The reconciliation did not come to its end.');
const seconds = (performance.now() - startedMs) / 1_000;
clearInterval(timer);
measureMemory();
const heldMb = mostHeapBytes / 2 ** 20;
const residentMb = process.resourceUsage().maxRSS / 1_024;
process.stdout.write(`${JSON.stringify({ seconds, heldMb, residentMb })}\n`);
