import { cpus, totalmem, type } from 'node:os';
import { Command } from 'commander';
import { runUntilStopped } from '../../config/main.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { bulkhead } from './bulkhead.ts';
import { bytes } from './bytes.ts';
import { charges } from './charges.ts';
import { checking } from './checking.ts';
import { dashboard } from './dashboard.ts';
import { list } from './list.ts';
import { neighbour } from './neighbour.ts';
import { payer } from './payer.ts';
import { pipeline } from './pipeline.ts';
import { plans } from './plans.ts';
import { read } from './read.ts';
import { retention } from './retention.ts';
import { scale } from './scale.ts';
import { settlement } from './settlement.ts';
import { soak } from './soak.ts';
import { sweep } from './sweep.ts';
import { webhooks } from './webhooks.ts';

const benches: readonly Bench[] = [
  ...[charges, read, list, settlement, webhooks, neighbour, sweep, bulkhead, pipeline, soak],
  ...[dashboard, payer, retention, checking, plans, scale, bytes],
];

const INTERRUPTED = 130;

// A second Ctrl-C, out of impatience, must not cut the cleaning up short.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

const program = new Command('bench').description(
  'Measures the service on this machine. What it starts is stopped, nothing is kept.',
);
for (const bench of benches) {
  const command = program
    .command(bench.name)
    .description(bench.description)
    .option('--json', 'the last line of stdout is one JSON object');
  for (const [flags, what] of Object.entries(bench.options ?? {})) command.option(flags, what);
  command.action(({ json = false, ...options }: { json?: boolean } & BenchRun['options']) =>
    runUntilStopped((stopped) => measure(bench, json, options, stopped)),
  );
}
await program.parseAsync();

async function measure(
  bench: Bench,
  json: boolean,
  options: BenchRun['options'],
  stopped: AbortSignal,
): Promise<void> {
  const print = (line: string) => void process.stderr.write(`${line}\n`);
  const programs: BenchRun['programs'] = [];
  await using scope = new AsyncDisposableStack();
  try {
    const measured = await bench.measure({ stopped, options, print, scope, programs });
    const result = { name: bench.name, ...measured.figures };
    process.stdout.write(`${json ? JSON.stringify(result) : reportOf(bench, measured)}\n`);
  } catch (error) {
    if (stopped.aborted) process.exitCode = INTERRUPTED;
    else if (error instanceof BenchFailure) {
      print(error.message);
      for (const { name, tail } of programs) print(`The ${name} printed last:\n${await tail()}`);
      process.exitCode = 1;
    } else throw error;
  }
}

function reportOf({ about }: Bench, { figures, details = [] }: Measured): string {
  const lines = Object.entries(figures).map(
    ([name, value]) =>
      `${name.padEnd(32)}${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return ['', ...about, '', ...lines, '', ...details, machine()].join('\n');
}

function machine(): string {
  const cores = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${cores.length} cores (${cores[0]?.model.trim()}), ${memory}, ${type()}, Node ${process.version}`;
}
