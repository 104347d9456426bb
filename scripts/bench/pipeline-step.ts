import { setTimeout as pause } from 'node:timers/promises';
import { referenceOf } from '../../domain/shared/ids.ts';
import { type CpuMeter, openCpuMeter, postgresPid } from './cpu.ts';
import type { CustomerCharge, Customers } from './pipeline-customers.ts';
import type { PipelineStack } from './pipeline-stack.ts';
import { readCounts, resetCounts, type StatementKind } from './statement-kinds.ts';

export const MERCHANTS = 20;
export const STEP_SECONDS = 10;
/** What a merchant is promised: from payment to webhook, 99 of 100. */
export const WEBHOOK_P99_MS = 300;

/** What was measured while customers came at one rate. */
export interface Step {
  rate: number;
  offered: number;
  received: number;
  /** Webhooks a second, from the first webhook to the last. */
  receivedPerSecond: number;
  /** True: every webhook came, and the last one soon after the last customer. */
  hasKeptUp: boolean;
  createMs: number[];
  payableMs: number[];
  paidToWebhookMs: number[];
  statements: StatementKind[];
  /** CPU milliseconds for one charge. */
  cpu: Record<string, number>;
}

/** After the last customer, a pipeline without a backlog needs less. */
const KEPT_UP_WITHIN_MS = 2_000;
/** Webhooks that come later are not waited for. */
const GIVEN_UP_AFTER_MS = 20_000;

export async function measureStep(
  pipeline: PipelineStack,
  customers: Customers,
  { rate, seconds, stopped }: { rate: number; seconds: number; stopped: AbortSignal },
): Promise<Step> {
  const { db } = pipeline.stack.context;
  const meter = await openMeter(pipeline);
  await resetCounts(db);
  const { charges, offered, lastAskedAtMs } = await meter.during(() =>
    offer(customers, { rate, seconds, stopped }),
  );
  const statements = await readCounts(db);
  const { payableMs, paidToWebhookMs } = await readTimes(pipeline, charges);
  const all = [...charges.values()];
  const arrivals = all.flatMap(({ webhookAtMs }) => webhookAtMs ?? []);
  const firstArrivalMs = Math.min(...arrivals);
  const lastArrivalMs = Math.max(...arrivals);
  return {
    rate,
    offered,
    received: arrivals.length,
    receivedPerSecond: ((arrivals.length - 1) / (lastArrivalMs - firstArrivalMs)) * 1_000,
    hasKeptUp: arrivals.length === offered && lastArrivalMs - lastAskedAtMs <= KEPT_UP_WITHIN_MS,
    createMs: all.map((charge) => charge.answeredAtMs! - charge.askedAtMs),
    payableMs,
    paidToWebhookMs,
    statements,
    cpu: meter.per(offered) ?? {},
  };
}

async function openMeter({ stack, api, workers, sandbox }: PipelineStack): Promise<CpuMeter> {
  return openCpuMeter({
    api: api.pid,
    workers: workers.pid,
    postgres: await postgresPid(stack.context),
    redis: stack.redis.pid,
    sandbox: sandbox.pid,
    sandbox_postgres: sandbox.postgresPid,
    customers: process.pid,
  });
}

/** Customers come at a steady rate whatever the answers do; resolves when their webhooks came. */
export async function offer(
  customers: Customers,
  { rate, seconds, stopped }: { rate: number; seconds: number; stopped: AbortSignal },
) {
  const startedMs = performance.now();
  const offered = rate * seconds;
  const asking: Promise<void>[] = [];
  while (asking.length < offered) {
    stopped.throwIfAborted();
    const elapsed = (performance.now() - startedMs) / 1_000;
    const due = Math.min(offered, Math.floor(elapsed * rate) + 1);
    while (asking.length < due) asking.push(customers.ask());
    const nextMs = startedMs + (asking.length / rate) * 1_000;
    await pause(Math.max(1, nextMs - performance.now()));
  }
  const lastAskedAtMs = Date.now();
  await Promise.all(asking);
  const charges = customers.take();
  while (Date.now() - lastAskedAtMs < GIVEN_UP_AFTER_MS) {
    stopped.throwIfAborted();
    for (const [reference, charge] of customers.take())
      Object.assign(charges.get(reference) ?? {}, { webhookAtMs: charge.webhookAtMs });
    if ([...charges.values()].every(({ webhookAtMs }) => webhookAtMs !== undefined)) break;
    await pause(20);
  }
  return { charges, offered, lastAskedAtMs };
}

/** Both databases know when what they hold was committed, or paid; that is read afterwards. */
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
  const { rows } = await sandbox.client.query<{ reference: string; paid_at: Date }>(
    'select reference, paid_at from sandbox.payment where paid_at is not null',
  );
  const paidToWebhookMs = rows.flatMap(({ reference, paid_at: paidAt }) => {
    const [, of = ''] = /^(SV-\d+)-/.exec(reference) ?? [];
    const at = charges.get(of)?.webhookAtMs;
    return at === undefined ? [] : at - paidAt.getTime();
  });
  return { payableMs, paidToWebhookMs };
}
