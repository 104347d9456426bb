import type { Bench, BenchRun, Measured } from './bench.ts';
import { percentile } from './figures.ts';
import { machineLine } from './machine.ts';
import { openCustomers } from './pipeline-customers.ts';
import { lineOf, reportOf, resultOf } from './pipeline-report.ts';
import { openPipelineStack } from './pipeline-stack.ts';
import {
  MERCHANTS,
  measureStep,
  STEP_SECONDS,
  type Step,
  WEBHOOK_P99_MS,
} from './pipeline-step.ts';

export const pipeline: Bench = {
  name: 'pipeline',
  description:
    'The whole life of a charge, from POST /charges to the webhook received, at rising rates of customers',
  options: [
    { flags: '--rates <rates>', description: 'customers a second, one step each (25,50,75,…)' },
  ],
  measure,
};

/** Customers a second. */
const RATES = [25, 50, 100, 150, 200, 250, 300, 350];
/** Long enough that what runs for every charge is compiled, as in a process that runs for days. */
const WARM_UP = [
  { rate: 10, seconds: 3 },
  { rate: 25, seconds: 8 },
  { rate: 100, seconds: 15 },
];

async function measure({ print, stopped, options }: BenchRun): Promise<Measured> {
  print('Starting PostgreSQL, Redis, the sandbox with a PostgreSQL of its own, API and workers …');
  await using stack = await openPipelineStack(MERCHANTS);
  await using customers = await openCustomers(stack);
  print('Warming up …');
  for (const warmUp of WARM_UP) await measureStep(stack, customers, { ...warmUp, stopped });
  const steps: Step[] = [];
  const rates = options.rates?.split(',').map(Number) ?? RATES;
  for (const rate of rates) {
    const step = await measureStep(stack, customers, { rate, seconds: STEP_SECONDS, stopped });
    steps.push(step);
    print(lineOf(step));
    if (steps.filter(({ hasKeptUp }) => !hasKeptUp).length > 1) break;
  }
  const knee = steps.findLast(isGood);
  const machine = await machineLine(stack.stack.context);
  return { result: resultOf(pipeline.name, steps, knee), report: reportOf(steps, knee, machine) };
}

/** The webhooks keep up with the customers, and come soon after the payment. */
function isGood({ hasKeptUp, paidToWebhookMs }: Step): boolean {
  return hasKeptUp && percentile(paidToWebhookMs, 99) <= WEBHOOK_P99_MS;
}
