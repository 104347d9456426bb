import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { auditLives } from './audit-lives.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { readBloat } from './bloat.ts';
import { rounded, roundedPercentile } from './figures.ts';
import { payOut } from './pay-out.ts';
import { WARM_UP } from './pipeline.ts';
import { type CustomerCharge, openPipelineStack } from './pipeline-stack.ts';
import { type MeasuredStep, measureStep, ownCpuMsOf, serviceOf } from './pipeline-step.ts';
import { type Child, rootFile } from './processes.ts';
import { infoOf } from './redis.ts';
import { callsOf } from './session.ts';
import { turnPartitions } from './turning-partitions.ts';

const PARTS = 12;
/** Partitions end after each third of the time. */
const THIRDS = [1, 2];
const MINUTE_MS = 60_000;
/** A collection of these heaps takes some 50 ms. */
const COLLECTED_WITHIN_MS = 2_000;
const SETTLED_WITHIN_MS = 600_000;
const collecting = rootFile('scripts/bench/collect-on-signal.ts');

export const soak: Bench = {
  name: 'soak',
  description: 'Hours of whole lives of charges: memory, delays, CPU, plans, bloat and the books',
  options: {
    '--minutes <minutes>': 'how long customers come (480)',
    '--rate <rate>': 'customers a second (100)',
  },
  about: [
    `A line for each of ${PARTS} parts of the time; partitions turn after each third, and all is paid out at the end.`,
    'CPU: of API, workers, PostgreSQL and Redis, in ms for one charge. Memory: MB, after a collection.',
    'slower: statements that took half as long again, or more, at the end as at the beginning, in ms.',
    'Dead rows and free space are percent of a table after the payout. The audit counts what must be zero.',
  ],
  measure,
};

async function measure(run: BenchRun): Promise<Measured> {
  const minutes = Number(run.options.minutes ?? 480);
  const rate = Number(run.options.rate ?? 100);
  const held = await openHeldMemory(run);
  const stack = await openPipelineStack(run, { env: held.env });
  const { context, redis } = stack.stack;
  const service = await serviceOf(stack);
  run.print('Warming up …');
  for (const each of WARM_UP) await service.serve(each.rate, each.seconds);
  const start = context.clock();
  const turns = THIRDS.map((n) => new Date(start.getTime() + (n / 3) * minutes * MINUTE_MS));
  await turnPartitions(context.db, start, turns);
  const charges = new Map<string, CustomerCharge>();
  const serve: typeof service.serve = async (...args) => {
    const served = await service.serve(...args);
    for (const [reference, charge] of served.charges) charges.set(reference, charge);
    return served;
  };
  const target = { ...service, serve, readPayableMs: async () => [] };
  const steps: MeasuredStep[] = [];
  const parts: Record<string, number>[] = [];
  for (let n = 1; n <= PARTS; n++) {
    const step = await measureStep(stack, target, rate, (minutes * 60) / PARTS);
    steps.push(step);
    parts.push({
      ...figuresOf(step),
      api_mb: await held.readMb(stack.apis[0]!),
      workers_mb: await held.readMb(stack.workers[0]!),
      redis_mb: mbOf(await infoOf(redis.url, 'used_memory')),
    });
    run.print(`Part ${n}: ${JSON.stringify(parts.at(-1))}`);
  }
  run.print(`Paying out ${charges.size} charges …`);
  const startedMs = performance.now();
  await payOut(run, stack, SETTLED_WITHIN_MS);
  const settled_seconds = rounded((performance.now() - startedMs) / 1_000, 1);
  return {
    figures: {
      ...{ minutes, rate, charges: charges.size, settled_seconds },
      ...{ audit: await auditLives(run, stack, charges), parts },
      ...{ slower: slowerOf(steps[0]!, steps.at(-1)!), ...(await readBloat(context.db)) },
    },
  };
}

function figuresOf(step: MeasuredStep) {
  return {
    webhooks_per_second: rounded(step.receivedPerSecond, 1),
    create_p99_ms: roundedPercentile(step.createMs, 99, 1),
    paid_to_webhook_p50_ms: roundedPercentile(step.paidToWebhookMs, 50, 1),
    paid_to_webhook_p99_ms: roundedPercentile(step.paidToWebhookMs, 99, 1),
    cpu_ms_per_charge: rounded(ownCpuMsOf(step), 2),
    statements_per_charge: rounded(callsOf(step.statements) / step.offered, 2),
  };
}

/** What processes with this environment hold after a collection. */
async function openHeldMemory({ scope }: BenchRun) {
  const dir = await mkdtemp(join(tmpdir(), 'payments-memory-'));
  scope.defer(() => rm(dir, { recursive: true }));
  const nodeOptions = `${process.env.NODE_OPTIONS ?? ''} --expose-gc --import ${collecting}`;
  return {
    env: { NODE_OPTIONS: nodeOptions, MEMORY_DIR: dir },
    async readMb({ pid }: Child): Promise<number> {
      process.kill(pid, 'SIGUSR2');
      await pause(COLLECTED_WITHIN_MS);
      const { heapUsed, external } = JSON.parse(await readFile(join(dir, `${pid}.json`), 'utf8'));
      return mbOf(heapUsed + external);
    },
  };
}

const mbOf = (bytes: number) => rounded(bytes / 2 ** 20, 1);

const SLOWER = 1.5;
/** Others are of background work, and too few for a mean. */
const CALLS_PER_CHARGE = 0.01;

type Counted = Pick<MeasuredStep, 'statements' | 'offered'>;

/** The statements whose mean has grown between two parts. */
export function slowerOf(first: Counted, last: Counted) {
  const before = new Map(first.statements.map((kind) => [kind.text, kind]));
  return last.statements.flatMap(({ text, calls, meanMs }) => {
    const was = before.get(text);
    if (!was || Math.min(calls, was.calls) < CALLS_PER_CHARGE * last.offered) return [];
    if (meanMs < SLOWER * was.meanMs) return [];
    return [{ text: text.slice(0, 110), was: rounded(was.meanMs, 3), is: rounded(meanMs, 3) }];
  });
}
