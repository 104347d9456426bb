import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { percentile, rounded, roundedPercentile } from './figures.ts';
import { measureGuarantees, type PipelineFloor, startPipelineFloor } from './pipeline-floor.ts';
import { MERCHANTS, openPipelineStack, type PipelineStack } from './pipeline-stack.ts';
import {
  createMsOf,
  type MeasuredStep,
  measureStep,
  ownCpuMsOf,
  serviceOf,
  type Times,
} from './pipeline-step.ts';
import { callsOf, type StatementKind } from './session.ts';

const RATES = [25, 50, 100, 150, 200, 250, 300, 350];
const STEP_SECONDS = 10;
/** Long enough that what runs for every charge is compiled, as in a process that runs for days. */
export const WARM_UP = [
  { rate: 10, seconds: 3 },
  { rate: 25, seconds: 8 },
  { rate: 100, seconds: 15 },
];
/** What a merchant is promised: from payment to webhook, 99 of 100. */
const WEBHOOK_P99_MS = 300;

export const pipeline: Bench = {
  name: 'pipeline',
  description:
    'The whole life of a charge, from POST /charges to the webhook, at rising rates of customers',
  options: {
    '--rates <rates>': 'customers a second, one step each (25,50,75,…)',
    '--tenants <number>': `merchants (${MERCHANTS})`,
    '--charges <number>': 'of the year before, of the one merchant who then has all customers (0)',
    '--floor':
      'each step again by one process without queues, retries and journal, and what each guarantee adds to it',
  },
  about: [
    `One API, one process with all workers, ${MERCHANTS} merchants; customers come for ${STEP_SECONDS} s a rate and pay after 250 ms.`,
    `charges_per_second: the highest rate at which webhooks keep up, 99 of 100 within ${WEBHOOK_P99_MS} ms of the payment.`,
    'Figures are of that rate, or of the lowest; payable: the link is on record; CPU: in ms for one charge.',
    'With --floor, cpu_ratio: CPU of API, workers, PostgreSQL and Redis over that of the floor and its PostgreSQL;',
    'guarantees: the floor, and how much more CPU it takes with each of them, one after another.',
  ],
  measure,
};

export type Step = MeasuredStep & { floor?: MeasuredStep };

async function measure(run: BenchRun): Promise<Measured> {
  const { print, options } = run;
  const { tenants = MERCHANTS, charges = 0 } = options;
  const sizes = { tenants: Number(tenants), pastCharges: Number(charges) };
  const stack = await openPipelineStack(run, sizes);
  const service = await serviceOf(stack);
  const floor = options.floor ? await startPipelineFloor(run, stack) : undefined;
  print('Warming up …');
  for (const each of [service, ...(floor ? [floor] : [])])
    for (const { rate, seconds } of WARM_UP) await each.serve(rate, seconds);
  const steps: Step[] = [];
  for (const rate of options.rates?.split(',').map(Number) ?? RATES) {
    const step: Step = await measureStep(stack, service, rate, STEP_SECONDS);
    if (floor) step.floor = await measureFloor(stack, floor, rate);
    steps.push(step);
    print(`${rate}/s: ${JSON.stringify(sweepOf(step))}`);
    if (steps.filter(({ hasKeptUp }) => !hasKeptUp).length > 1) break;
  }
  const measured = measuredFrom(steps);
  if (!floor) return measured;
  const guarantees = await measureGuarantees(run, floor);
  return { ...measured, figures: { ...measured.figures, guarantees } };
}

/** The floor's answer has the link. It retries nothing: what is lost would make it look cheap. */
async function measureFloor(stack: PipelineStack, floor: PipelineFloor, rate: number) {
  const readPayableMs = async (charges: Times) => createMsOf([...charges.values()]);
  const target = { ...floor, readPayableMs };
  const step = await measureStep(stack, target, rate, STEP_SECONDS);
  const { offered, received } = step;
  if (received === offered) return step;
  throw new BenchFailure(`Of ${offered} webhooks of the floor ${received} arrived.`);
}

/** The figures of the highest rate that is good, or of the lowest where none is. */
export function measuredFrom(steps: readonly Step[]): Measured {
  const isSoon = (step: Step) => percentile(step.paidToWebhookMs, 99) <= WEBHOOK_P99_MS;
  const good = steps.findLast((step) => step.hasKeptUp && isSoon(step));
  const shown = good ?? steps[0]!;
  const most = Math.max(...steps.map(({ receivedPerSecond }) => receivedPerSecond));
  return {
    figures: {
      charges_per_second: good?.rate ?? 0,
      most_webhooks_per_second: rounded(most, 1),
      ...figuresOf(shown),
      sweep: steps.map(sweepOf),
    },
    details: [
      `Statements for one charge at ${shown.rate}/s, and their mean time in PostgreSQL:`,
      ...shown.statements.slice(0, 40).map((kind) => kindLine(kind, shown.offered)),
    ],
  };
}

function sweepOf(step: Step) {
  const webhooks_per_second = rounded(step.receivedPerSecond, 1);
  return { rate: step.rate, webhooks_per_second, ...figuresOf(step) };
}

function figuresOf({ floor, ...service }: Step) {
  if (!floor) return figuresOfOne(service);
  const ratio = ownCpuMsOf(service) / ownCpuMsOf(floor);
  return { cpu_ratio: rounded(ratio, 2), ...figuresOfOne(service), floor: figuresOfOne(floor) };
}

function figuresOfOne({ statements, offered, ...step }: Step) {
  const { sandbox = 0, sandbox_postgres: sandboxPostgres = 0, ...service } = step.cpu;
  const cpu = Object.entries({ ...service, sandbox: sandbox + sandboxPostgres });
  return {
    create_p50_ms: roundedPercentile(step.createMs, 50, 1),
    create_p99_ms: roundedPercentile(step.createMs, 99, 1),
    payable_p99_ms: roundedPercentile(step.payableMs, 99, 1),
    paid_to_webhook_p50_ms: roundedPercentile(step.paidToWebhookMs, 50, 1),
    paid_to_webhook_p99_ms: roundedPercentile(step.paidToWebhookMs, 99, 1),
    statements_per_charge: rounded(callsOf(statements) / offered, 2),
    cpu_ms_per_charge: Object.fromEntries(cpu.map(([taker, ms]) => [taker, rounded(ms, 2)])),
  };
}

function kindLine({ text, calls, meanMs }: StatementKind, charges: number): string {
  const each = (calls / charges).toFixed(2).padStart(6);
  return `${each} × ${meanMs.toFixed(3).padStart(8)} ms  ${text.slice(0, 110)}`;
}
