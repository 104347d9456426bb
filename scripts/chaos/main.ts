import { Command, InvalidArgumentError } from 'commander';
import { runUntilStopped } from '../../config/main.ts';
import { isClean, resultOf } from './report.ts';
import { runChaos } from './run-chaos.ts';

// A second Ctrl-C, out of impatience, must not cut the cleaning up short.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

const program = new Command('chaos')
  .description(
    'Disturbs the service under load, and audits what every side says afterwards. ' +
      'What it starts is stopped, nothing is kept.',
  )
  .option('--seed <number>', 'draws the faults and the customers', toNumber, 1)
  .option('--seconds <number>', 'how long customers come and faults strike', toNumber, 300)
  .option('--rate <number>', 'customers a second', toNumber, 4)
  .option('--json', 'standard output is one JSON object')
  .parse();

const { json = false, ...options } = program.opts<{
  seed: number;
  seconds: number;
  rate: number;
  json?: boolean;
}>();
await runUntilStopped(async (stopped) => {
  const print = (line: string) => void process.stderr.write(`${line}\n`);
  const run = { ...options, stopped, print };
  const result = resultOf(run, await runChaos(run));
  process.stdout.write(`${JSON.stringify(result, null, json ? undefined : 2)}\n`);
  if (!isClean(result)) process.exitCode = 1;
});

function toNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}
