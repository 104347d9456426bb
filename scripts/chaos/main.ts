import { readFile, writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { runUntilStopped } from '../../config/main.ts';
import { lostIn, matrixOf, withMatrix } from './matrix.ts';
import { type OutageRun, outages, tableOf, withTable } from './outages.ts';
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
  .option('--outages', 'each outage of config/runbook.md by itself, for all of the seconds')
  .option('--beside <revision>', 'a version of the service that runs beside this one at times')
  .option('--json', 'standard output is one JSON object')
  .option(
    '--readme <results...>',
    'only write what earlier runs (--json) found: the matrix in README.md beside, or the table of outages in config/runbook.md',
  )
  .parse();

const {
  json = false,
  readme,
  outages: areOutages = false,
  ...options
} = program.opts<{
  seed: number;
  seconds: number;
  rate: number;
  only?: string;
  beside?: string;
  outages?: boolean;
  json?: boolean;
  readme?: string[];
}>();
const print = (line: string) => void process.stderr.write(`${line}\n`);
await (readme ? writeResults(readme) : runUntilStopped(areOutages ? runOutages : run));

async function run(stopped: AbortSignal): Promise<void> {
  const settings = { ...options, stopped, print };
  const result = resultOf(settings, await runChaos(settings));
  process.stdout.write(`${json ? JSON.stringify(result) : reportOf(result)}\n`);
  if (lostIn(result) > 0) process.exitCode = 1;
}

/** One service for each, so that what is lost is lost by it. */
async function runOutages(stopped: AbortSignal): Promise<void> {
  const results: ChaosResult[] = [];
  const kinds = Object.keys(outages).filter((name) => name.includes(options.only ?? ''));
  for (const only of kinds) {
    const settings = { ...options, only, isOutage: true, stopped, print };
    const result = resultOf(settings, await runChaos(settings));
    results.push(result);
    print(`${tableOf(outagesIn([result]))}\n${result.findings.join('\n')}`);
    if (lostIn(result) > 0) process.exitCode = 1;
  }
  const text = json ? JSON.stringify({ outages: results }) : tableOf(outagesIn(results));
  process.stdout.write(`${text}\n`);
}

function outagesIn(results: readonly ChaosResult[]): OutageRun[] {
  return results.flatMap((result) =>
    result.outages.map((outage) => ({ ...result, lost: lostIn(result), outage })),
  );
}

async function writeResults(files: readonly string[]): Promise<void> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const found = texts.map((text) => JSON.parse(text) as ChaosResult | { outages: ChaosResult[] });
  const ofOutages = found.flatMap((each) => ('seed' in each ? [] : each.outages));
  if (ofOutages.length > 0) {
    const runbook = new URL('../../config/runbook.md', import.meta.url);
    const text = await readFile(runbook, 'utf8');
    await writeFile(runbook, withTable(text, outagesIn(ofOutages)));
  }
  const results = found.flatMap((each) => ('seed' in each ? each : []));
  if (results.length === 0) return;
  const page = new URL('README.md', import.meta.url);
  await writeFile(page, withMatrix(await readFile(page, 'utf8'), results));
}

function reportOf(result: ChaosResult): string {
  const { findings, faults: _faults, outages: _outages, ...figures } = result;
  const lines = Object.entries(figures).map(([name, value]) => `${name.padEnd(28)}${value}`);
  return [...lines, '', matrixOf([result]), '', ...findings].join('\n');
}

function toNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}
