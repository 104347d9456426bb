import { readFile, writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { runUntilStopped } from '../../config/main.ts';
import { lostIn, matrixOf, withMatrix } from './matrix.ts';
import { type ChaosResult, resultOf } from './report.ts';
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
  .option('--only <text>', 'only faults whose name contains this')
  .option('--beside <revision>', 'a version of the service that runs beside this one at times')
  .option('--json', 'standard output is one JSON object')
  .option(
    '--readme <results...>',
    'only write the matrix of earlier runs (--json) in README.md beside',
  )
  .parse();

const {
  json = false,
  readme,
  ...options
} = program.opts<{
  seed: number;
  seconds: number;
  rate: number;
  only?: string;
  beside?: string;
  json?: boolean;
  readme?: string[];
}>();
await (readme ? writeMatrix(readme) : runUntilStopped(run));

async function run(stopped: AbortSignal): Promise<void> {
  const print = (line: string) => void process.stderr.write(`${line}\n`);
  const settings = { ...options, stopped, print };
  const result = resultOf(settings, await runChaos(settings));
  process.stdout.write(`${json ? JSON.stringify(result) : reportOf(result)}\n`);
  if (lostIn(result) > 0) process.exitCode = 1;
}

async function writeMatrix(files: readonly string[]): Promise<void> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const results = texts.map((text) => JSON.parse(text) as ChaosResult);
  const page = new URL('README.md', import.meta.url);
  await writeFile(page, withMatrix(await readFile(page, 'utf8'), results));
}

function reportOf(result: ChaosResult): string {
  const { findings, faults: _faults, ...figures } = result;
  const lines = Object.entries(figures).map(([name, value]) => `${name.padEnd(28)}${value}`);
  return [...lines, '', matrixOf([result]), '', ...findings].join('\n');
}

function toNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}
