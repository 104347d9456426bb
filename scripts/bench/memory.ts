import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
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
/** A collection of these heaps takes some 50 ms; the pages it frees are returned a moment later. */
const COLLECTED_WITHIN_MS = 2_000;
const collecting = fileURLToPath(new URL('./collect-on-signal.ts', import.meta.url));

async function measure({ print, stopped, options }: BenchRun): Promise<Measured> {
  const minutes = Number(options.minutes ?? 60);
  const rate = Number(options.rate ?? 20);
  print('Starting PostgreSQL, Redis, the sandbox with a PostgreSQL of its own, API and workers …');
  const nodeOptions = `${process.env.NODE_OPTIONS ?? ''} --expose-gc --import ${collecting}`;
  await using pipeline = await openPipelineStack(MERCHANTS, { NODE_OPTIONS: nodeOptions });
  await using customers = await openCustomers(pipeline);
  const held: Record<'api' | 'workers', number[]> = { api: [], workers: [] };
  let webhooks = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    const { charges } = await offer(customers, { rate, seconds: MINUTE_SECONDS, stopped });
    for (const { webhookAtMs } of charges.values()) if (webhookAtMs) webhooks++;
    held.api.push(await residentMb(pipeline.api.pid));
    held.workers.push(await residentMb(pipeline.workers.pid));
    print(`minute ${minute}: API ${held.api.at(-1)} MB, workers ${held.workers.at(-1)} MB`);
  }
  const result = { name: memory.name, minutes, rate, webhooks, api_mb: held.api };
  const report = [
    await machineLine(pipeline.stack.context),
    `${webhooks} webhooks of ${minutes * rate * MINUTE_SECONDS} charges.`,
    ...Object.entries(held).map(([name, mb]) => `${name.padEnd(8)} ${quartersOf(mb)}`),
    'Resident memory after a collection: the median of each quarter of the time.',
  ];
  return { result: { ...result, workers_mb: held.workers }, report };
}

/** Resident memory after a collection, in MB (as Linux counts it). */
async function residentMb(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2');
  await pause(COLLECTED_WITHIN_MS);
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  if (!kilobytes) throw new BenchFailure('This system does not report the memory of a process.');
  return rounded(Number(kilobytes) / 1_024, 1);
}

function quartersOf(values: readonly number[]): string {
  const ends = [0, 1, 2, 3, 4].map((quarter) => Math.round((quarter * values.length) / 4));
  return ends
    .slice(1)
    .map((end, index) => values.slice(ends[index], end))
    .filter((quarter) => quarter.length > 0)
    .map((quarter) => `${median(quarter).toFixed(0).padStart(5)} MB`)
    .join('');
}
