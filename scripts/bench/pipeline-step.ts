import { referenceOf } from '../../domain/shared/ids.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { openCpuMeter, postgresPid } from './cpu.ts';
import type { CustomerCharge, PipelineStack } from './pipeline-stack.ts';
import { statementsDuring } from './session.ts';

/** After the last customer, a pipeline without a backlog needs less. */
const KEPT_UP_WITHIN_MS = 2_000;

export type MeasuredStep = Awaited<ReturnType<typeof measureStep>>;

export type Times = ReadonlyMap<string, CustomerCharge>;

/** What takes charges: the service, or its floor. */
export interface Target {
  db: Sql;
  pids: Readonly<Record<string, number>>;
  serve: PipelineStack['serve'];
  /** How long each charge took until its link was there. */
  readPayableMs(charges: Times): Promise<number[]>;
}

export async function serviceOf({ stack, apis, workers, serve }: PipelineStack): Promise<Target> {
  const { db } = stack.context;
  return {
    ...{ db, serve },
    pids: {
      ...{ api: apis[0]!.pid, workers: workers[0]!.pid },
      ...{ postgres: await postgresPid(db), redis: stack.redis.pid },
    },
    readPayableMs: (charges) => readPayableMs(db, charges),
  };
}

/** Lets customers come at a rate; figures are those of the charges they made. */
export async function measureStep(
  { sandbox }: PipelineStack,
  { db, pids, serve, readPayableMs }: Target,
  rate: number,
  seconds: number,
) {
  const others = { sandbox: sandbox.pid, sandbox_postgres: sandbox.postgresPid };
  const meter = openCpuMeter({ ...pids, ...others, customers: process.pid });
  let served!: Awaited<ReturnType<PipelineStack['serve']>>;
  const statements = await statementsDuring(db, async () => {
    served = await meter.during(() => serve(rate, seconds));
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
    createMs: createMsOf(all),
    payableMs: await readPayableMs(charges),
    paidToWebhookMs: await readPaidToWebhookMs(sandbox, charges),
    cpu: meter.per(all.length),
  };
}

export function createMsOf(charges: readonly CustomerCharge[]): number[] {
  return charges.map(({ askedAtMs, answeredAtMs }) => answeredAtMs - askedAtMs);
}

async function readPayableMs(db: Sql, charges: Times): Promise<number[]> {
  const payable = await db.query<{ number: number; at: Date }>(
    `select c.number, pg_xact_commit_timestamp(t.xmin) as at
     from charges c join timeline_entries t on t.charge_id = c.id and t.what = 'charge.pending'`,
  );
  return payable.flatMap(({ number, at }) => {
    const charge = charges.get(referenceOf(number));
    return charge ? at.getTime() - charge.askedAtMs : [];
  });
}

async function readPaidToWebhookMs(
  { session }: PipelineStack['sandbox'],
  charges: Times,
): Promise<number[]> {
  const paid = await session.query<{ reference: string; at: Date }>(
    `select substring(body->>'reference' from '^SV-[0-9]+') as reference,
       (body->>'paidAt')::timestamptz as at
     from sandbox.document where kind = 'payment' and body->>'paidAt' is not null`,
  );
  return paid.flatMap(({ reference, at }) => {
    const receivedMs = charges.get(reference)?.webhookAtMs;
    return receivedMs === undefined ? [] : receivedMs - at.getTime();
  });
}

/** Without those who stand for customers and providers. */
export function ownCpuMsOf({ cpu }: Pick<MeasuredStep, 'cpu'>): number {
  const { sandbox, sandbox_postgres, customers, ...own } = cpu;
  return Object.values(own).reduce((sum, ms) => sum + ms, 0);
}
