import { Command } from 'commander';
import { runUntilStopped } from '../../config/main.ts';
import { type Bench, BenchFailure, type BenchRun } from './bench.ts';
import { bulkhead } from './bulkhead.ts';
import { charges } from './charges.ts';
import { checking } from './checking.ts';
import { dashboard } from './dashboard.ts';
import { list } from './list.ts';
import { memory } from './memory.ts';
import { neighbour } from './neighbour.ts';
import { payer } from './payer.ts';
import { pipeline } from './pipeline.ts';
import { plans } from './plans.ts';
import { read } from './read.ts';
import { retention } from './retention.ts';
import { settlement } from './settlement.ts';
import { sweep } from './sweep.ts';
import { webhooks } from './webhooks.ts';

const benches: readonly Bench[] = [
  charges,
  read,
  list,
  settlement,
  webhooks,
  neighbour,
  sweep,
  bulkhead,
  pipeline,
  memory,
  dashboard,
  payer,
  retention,
  checking,
  plans,
];

/** What a shell says of a command that Ctrl-C ended. */
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
  for (const { flags, description } of bench.options ?? []) command.option(flags, description);
  command.action(({ json = false, ...options }: { json?: boolean } & BenchRun['options']) =>
    runUntilStopped((stopped) => run(bench, json, { stopped, options })),
  );
}
await program.parseAsync();

async function run(
  bench: Bench,
  json: boolean,
  { stopped, options }: Pick<BenchRun, 'stopped' | 'options'>,
): Promise<void> {
  try {
    const { result, report } = await bench.measure({
      stopped,
      options,
      print: (line) => void process.stderr.write(`${line}\n`),
    });
    process.stdout.write(`${json ? JSON.stringify(result) : report.join('\n')}\n`);
  } catch (error) {
    if (stopped.aborted) process.exitCode = INTERRUPTED;
    else if (error instanceof BenchFailure) fail(error.message);
    else throw error;
  }
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
