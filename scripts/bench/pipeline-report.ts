import type { Measured } from './bench.ts';
import { percentile, rounded } from './figures.ts';
import { MERCHANTS, STEP_SECONDS, type Step, WEBHOOK_P99_MS } from './pipeline-step.ts';

/** Kinds of statements that the report lists. */
const LISTED_KINDS = 40;
const KIND_WIDTH = 110;

/** The object of `--json`: figures of the knee, or of the lowest rate where there is no knee. */
export function resultOf(
  name: string,
  steps: readonly Step[],
  knee: Step | undefined,
): Measured['result'] {
  const most = Math.max(...steps.map(({ receivedPerSecond }) => receivedPerSecond));
  return {
    name,
    charges_per_second: knee?.rate ?? 0,
    most_webhooks_per_second: rounded(most, 1),
    ...figuresOf(knee ?? steps[0]!),
    sweep: steps.map((step) => ({
      rate: step.rate,
      webhooks_per_second: rounded(step.receivedPerSecond, 1),
      ...figuresOf(step),
    })),
  };
}

function figuresOf(step: Step) {
  const { sandbox = 0, sandbox_postgres: sandboxPostgres = 0, ...service } = step.cpu;
  const cpu = Object.entries({ ...service, sandbox: sandbox + sandboxPostgres });
  return {
    create_p50_ms: rounded(percentile(step.createMs, 50), 1),
    create_p99_ms: rounded(percentile(step.createMs, 99), 1),
    payable_p99_ms: rounded(percentile(step.payableMs, 99), 1),
    paid_to_webhook_p50_ms: rounded(percentile(step.paidToWebhookMs, 50), 1),
    paid_to_webhook_p99_ms: rounded(percentile(step.paidToWebhookMs, 99), 1),
    statements_per_charge: rounded(statementsOf(step), 2),
    cpu_ms_per_charge: Object.fromEntries(cpu.map(([taker, ms]) => [taker, rounded(ms, 2)])),
  };
}

const statementsOf = ({ statements, offered }: Step) =>
  statements.reduce((sum, { calls }) => sum + calls, 0) / offered;

/** One rate of the sweep, for people. */
export function lineOf(step: Step): string {
  const figures = figuresOf(step);
  const { cpu_ms_per_charge: cpu } = figures;
  const cpuText = Object.entries(cpu)
    .map(([taker, ms]) => `${taker} ${ms}`)
    .join(', ');
  return [
    `${String(step.rate).padStart(4)}/s: ${step.received} of ${step.offered} webhooks`,
    `${step.receivedPerSecond.toFixed(1)}/s${step.hasKeptUp ? '' : ', falls behind'}`,
    `create ${figures.create_p50_ms}/${figures.create_p99_ms} ms`,
    `payable p99 ${figures.payable_p99_ms} ms`,
    `paid to webhook ${figures.paid_to_webhook_p50_ms}/${figures.paid_to_webhook_p99_ms} ms`,
    `${figures.statements_per_charge} statements`,
    `CPU ms ${cpuText}`,
  ].join('; ');
}

export function reportOf(
  steps: readonly Step[],
  knee: Step | undefined,
  machine: string,
): string[] {
  const shown = knee ?? steps[0]!;
  return [
    '',
    'The whole life of a charge: POST /charges, payment created at the provider, paid, notification, verified, recorded, webhook received.',
    'One API process, one process with all workers, durable PostgreSQL, queues on Redis; the sandbox and its PostgreSQL run apart, on the same machine.',
    `${MERCHANTS} merchants with three providers each; customers come at a steady rate for ${STEP_SECONDS} s whatever the answers do, and pay 250 ms after their payment was created.`,
    `create: from the customer to the API's answer, half and 99 of 100; payable: until the link is on record; all CPU in ms for one charge.`,
    '',
    ...steps.map(lineOf),
    '',
    knee
      ? `Knee         ${knee.rate} charges/s: the highest rate at which webhooks keep up and 99 of 100 come within ${WEBHOOK_P99_MS} ms of the payment`
      : `Knee         none of these rates: webhooks fall behind, or come later than ${WEBHOOK_P99_MS} ms after the payment`,
    `Machine      ${machine}`,
    '',
    `Where the time goes at ${shown.rate}/s: CPU of the service ${cpuText(shown, SERVICE)}; of the sandbox ${cpuText(shown, SANDBOX)}; of ${cpuText(shown, ['customers'])} with the merchants' receivers, ms for one charge.`,
    'Statements for one charge, and their mean time in PostgreSQL:',
    ...shown.statements.slice(0, LISTED_KINDS).map((kind) => kindLine(kind, shown.offered)),
  ];
}

const SERVICE = ['api', 'workers', 'postgres', 'redis'];
const SANDBOX = ['sandbox', 'sandbox_postgres'];

function cpuText({ cpu }: Step, takers: readonly string[]): string {
  return takers.map((taker) => `${taker} ${(cpu[taker] ?? 0).toFixed(2)}`).join(', ');
}

function kindLine({ text, calls, meanMs }: Step['statements'][number], charges: number): string {
  const each = (calls / charges).toFixed(2).padStart(6);
  return `${each} × ${meanMs.toFixed(3).padStart(8)} ms  ${text.slice(0, KIND_WIDTH)}`;
}
