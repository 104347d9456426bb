import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { median, rounded } from './figures.ts';
import { openPipelineStack } from './pipeline-stack.ts';
import { type Child, rootFile } from './processes.ts';

export const memory: Bench = {
  name: 'memory',
  description: 'What the API and the workers hold, minute by minute of whole lives of charges',
  options: {
    '--minutes <minutes>': 'how long customers come (60)',
    '--rate <rate>': 'customers a second (20)',
  },
  about: ['After a collection, in MB; below, the median of each quarter of the time.'],
  measure,
};

const MINUTE_SECONDS = 60;
/** A collection of these heaps takes some 50 ms. */
const COLLECTED_WITHIN_MS = 2_000;
const collecting = rootFile('scripts/bench/collect-on-signal.ts');

/** What a process holds after a collection, minute by minute, in MB. */
type Held = { resident: number[]; heap: number[] };

async function measure(run: BenchRun): Promise<Measured> {
  const { scope, print, options } = run;
  const minutes = Number(options.minutes ?? 60);
  const rate = Number(options.rate ?? 20);
  const dir = await mkdtemp(join(tmpdir(), 'payments-memory-'));
  scope.defer(() => rm(dir, { recursive: true }));
  const nodeOptions = `${process.env.NODE_OPTIONS ?? ''} --expose-gc --import ${collecting}`;
  const env = { NODE_OPTIONS: nodeOptions, MEMORY_DIR: dir };
  const pipeline = await openPipelineStack(run, { env });
  const api: Held = { resident: [], heap: [] };
  const workers: Held = { resident: [], heap: [] };
  let webhooks = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    const { charges } = await pipeline.serve(rate, MINUTE_SECONDS);
    for (const { webhookAtMs } of charges.values()) if (webhookAtMs) webhooks++;
    await addWhatIsHeld(api, pipeline.apis[0]!, dir);
    await addWhatIsHeld(workers, pipeline.workers[0]!, dir);
    print(`minute ${minute}: API ${lastOf(api)}, workers ${lastOf(workers)}`);
  }
  const details = Object.entries({ API: api, workers }).map(
    ([name, { resident, heap }]) =>
      `${name.padEnd(8)} resident ${quartersOf(resident)}, of which objects ${quartersOf(heap)}`,
  );
  const held = { api_mb: { ...api }, workers_mb: { ...workers } };
  return { figures: { minutes, rate, webhooks, ...held }, details };
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
