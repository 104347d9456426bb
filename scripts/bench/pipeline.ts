import { referenceOf } from '../../domain/shared/ids.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { openCpuMeter, postgresPid } from './cpu.ts';
import { percentile, rounded, roundedPercentile } from './figures.ts';
import {
  type CustomerCharge,
  MERCHANTS,
  openPipelineStack,
  type PipelineStack,
} from './pipeline-stack.ts';
import { callsOf, type StatementKind, statementsDuring } from './session.ts';

const RATES = [25, 50, 100, 150, 200, 250, 300, 350];
const STEP_SECONDS = 10;
/** Long enough that what runs for every charge is compiled, as in a process that runs for days. */
const WARM_UP = [
  { rate: 10, seconds: 3 },
  { rate: 25, seconds: 8 },
  { rate: 100, seconds: 15 },
];
/** What a merchant is promised: from payment to webhook, 99 of 100. */
const WEBHOOK_P99_MS = 300;
/** After the last customer, a pipeline without a backlog needs less. */
const KEPT_UP_WITHIN_MS = 2_000;

export const pipeline: Bench = {
  name: 'pipeline',
  description:
    'The whole life of a charge, from POST /charges to the webhook, at rising rates of customers',
  options: { '--rates <rates>': 'customers a second, one step each (25,50,75,…)' },
  about: [
    `One API, one process with all workers, ${MERCHANTS} merchants; customers come for ${STEP_SECONDS} s a rate and pay after 250 ms.`,
    `charges_per_second: the highest rate at which webhooks keep up, 99 of 100 within ${WEBHOOK_P99_MS} ms of the payment.`,
    'Figures are of that rate, or of the lowest; payable: the link is on record; CPU: in ms for one charge.',
  ],
  measure,
};

export type Step = Awaited<ReturnType<typeof measureStep>>;

async function measure(run: BenchRun): Promise<Measured> {
  const { print, options } = run;
  const stack = await openPipelineStack(run);
  print('Warming up …');
  for (const { rate, seconds } of WARM_UP) await stack.serve(rate, seconds);
  const steps: Step[] = [];
  for (const rate of options.rates?.split(',').map(Number) ?? RATES) {
    const step = await measureStep(stack, rate);
    steps.push(step);
    print(`${rate}/s: ${JSON.stringify(sweepOf(step))}`);
    if (steps.filter(({ hasKeptUp }) => !hasKeptUp).length > 1) break;
  }
  return measuredFrom(steps);
}

async function measureStep(stack: PipelineStack, rate: number) {
  const meter = openCpuMeter({
    ...{ api: stack.apis[0]!.pid, workers: stack.workers[0]!.pid },
    ...{ postgres: await postgresPid(stack.stack.context.db), redis: stack.stack.redis.pid },
    ...{ sandbox: stack.sandbox.pid, sandbox_postgres: stack.sandbox.postgresPid },
    customers: process.pid,
  });
  let served!: Awaited<ReturnType<PipelineStack['serve']>>;
  const statements = await statementsDuring(stack.stack.context.db, async () => {
    served = await meter.during(() => stack.serve(rate, STEP_SECONDS));
  });
  const { charges, lastAskedAtMs } = served;
  const all = [...charges.values()];
  const arrivals = all.flatMap(({ webhookAtMs }) => webhookAtMs ?? []);
  const [first, last] = [Math.min(...arrivals), Math.max(...arrivals)];
  const hasAll = arrivals.length === all.length;
  return {
    ...{ rate, offered: all.length, received: arrivals.length, statements },
    /** From the first webhook to the last. */
    receivedPerSecond: ((arrivals.length - 1) / (last - first)) * 1_000,
    /** Every webhook came, and the last one soon after the last customer. */
    hasKeptUp: hasAll && last - lastAskedAtMs <= KEPT_UP_WITHIN_MS,
    createMs: all.map((charge) => charge.answeredAtMs - charge.askedAtMs),
    ...(await readTimes(stack, charges)),
    cpu: meter.per(all.length),
  };
}

async function readTimes(
  { stack, sandbox }: PipelineStack,
  charges: ReadonlyMap<string, CustomerCharge>,
) {
  const payable = await stack.context.db.query<{ number: number; at: Date }>(
    `select c.number, pg_xact_commit_timestamp(t.xmin) as at
     from charges c join timeline_entries t on t.charge_id = c.id and t.what = 'charge.pending'`,
  );
  const payableMs = payable.flatMap(({ number, at }) => {
    const charge = charges.get(referenceOf(number));
    return charge ? at.getTime() - charge.askedAtMs : [];
  });
  const paid = await sandbox.session.query<{ reference: string; at: Date }>(
    `select substring(body->>'reference' from '^SV-[0-9]+') as reference,
       (body->>'paidAt')::timestamptz as at
     from sandbox.document where kind = 'payment' and body->>'paidAt' is not null`,
  );
  const paidToWebhookMs = paid.flatMap(({ reference, at }) => {
    const receivedMs = charges.get(reference)?.webhookAtMs;
    return receivedMs === undefined ? [] : receivedMs - at.getTime();
  });
  return { payableMs, paidToWebhookMs };
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

function figuresOf({ statements, offered, ...step }: Step) {
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
