import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench, BenchRun, Measured } from './bench.ts';
import type { Child } from './child.ts';
import { median, rounded } from './figures.ts';
import { machineLine } from './machine.ts';
import { openCustomers } from './pipeline-customers.ts';
import { openPipelineStack } from './pipeline-stack.ts';
import { MERCHANTS, offer } from './pipeline-step.ts';

export const memory: Bench = {
  name: 'memory',
  description:
    'What the API and the workers hold, minute by minute of whole lives of charges: resident memory after a collection',
  options: [
    { flags: '--minutes <minutes>', description: 'how long customers come (60)' },
    { flags: '--rate <rate>', description: 'customers a second (20)' },
  ],
  measure,
};

const MINUTE_SECONDS = 60;
/** A collection of these heaps takes some 50 ms. */
const COLLECTED_WITHIN_MS = 2_000;
const collecting = fileURLToPath(new URL('./collect-on-signal.ts', import.meta.url));

/** What a process holds after a collection, minute by minute, in MB. */
interface Held {
  resident: number[];
  /** Of which objects of the program. */
  heap: number[];
}

async function measure({ print, stopped, options }: BenchRun): Promise<Measured> {
  const minutes = Number(options.minutes ?? 60);
  const rate = Number(options.rate ?? 20);
  print('Starting PostgreSQL, Redis, the sandbox with a PostgreSQL of its own, API and workers …');
  const dir = await mkdtemp(join(tmpdir(), 'payments-memory-'));
  await using scope = new AsyncDisposableStack();
  scope.defer(() => rm(dir, { recursive: true }));
  const nodeOptions = `${process.env.NODE_OPTIONS ?? ''} --expose-gc --import ${collecting}`;
  const env = { NODE_OPTIONS: nodeOptions, MEMORY_DIR: dir };
  await using pipeline = await openPipelineStack(MERCHANTS, env);
  await using customers = await openCustomers(pipeline);
  const api: Held = { resident: [], heap: [] };
  const workers: Held = { resident: [], heap: [] };
  let webhooks = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    const { charges } = await offer(customers, { rate, seconds: MINUTE_SECONDS, stopped });
    for (const { webhookAtMs } of charges.values()) if (webhookAtMs) webhooks++;
    await addWhatIsHeld(api, pipeline.api, dir);
    await addWhatIsHeld(workers, pipeline.workers, dir);
    print(`minute ${minute}: API ${lastOf(api)}, workers ${lastOf(workers)}`);
  }
  const report = [
    await machineLine(pipeline.stack.context),
    `${webhooks} webhooks of ${minutes * rate * MINUTE_SECONDS} charges.`,
    `API      resident ${quartersOf(api.resident)}, of which objects ${quartersOf(api.heap)}`,
    `workers  resident ${quartersOf(workers.resident)}, of which objects ${quartersOf(workers.heap)}`,
    'After a collection, in MB: the median of each quarter of the time.',
  ];
  return {
    result: {
      name: memory.name,
      minutes,
      rate,
      webhooks,
      api_mb: { ...api },
      workers_mb: { ...workers },
    },
    report,
  };
}

async function addWhatIsHeld(held: Held, { pid }: Child, dir: string): Promise<void> {
  process.kill(pid, 'SIGUSR2');
  await pause(COLLECTED_WITHIN_MS);
  const { rss, heapUsed } = JSON.parse(await readFile(join(dir, `${pid}.json`), 'utf8'));
  held.resident.push(rounded(rss / 2 ** 20, 1));
  held.heap.push(rounded(heapUsed / 2 ** 20, 1));
}

const lastOf = ({ resident, heap }: Held) => `${resident.at(-1)} MB (objects ${heap.at(-1)} MB)`;

function quartersOf(values: readonly number[]): string {
  const ends = [0, 1, 2, 3, 4].map((quarter) => Math.round((quarter * values.length) / 4));
  return ends
    .slice(1)
    .map((end, index) => values.slice(ends[index], end))
    .filter((quarter) => quarter.length > 0)
    .map((quarter) => median(quarter).toFixed(0))
    .join(' ');
}
