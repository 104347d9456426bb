import type { Queue } from 'bullmq';
import type { Context } from '../../config/context.ts';
import type { Job } from '../../domain/jobs.ts';
import { newId } from '../../domain/shared/ids.ts';
import { until } from '../local/until.ts';
import { BenchFailure, type BenchRun } from './bench.ts';
import { eventBody } from './order.ts';
import { startReceivers } from './receivers.ts';
import { addTenant, openStack, startWorkers } from './stack.ts';

export type Delivering = Awaited<ReturnType<typeof openDelivering>>;

export type Endpoint = { id: string; tenantId: string };

/** Merchants with one webhook endpoint each, and one worker process that delivers to them. */
export async function openDelivering(run: BenchRun, merchants: number) {
  const stack = await openStack(run);
  const receivers = await startReceivers(run, stack.dir, merchants);
  const endpoints: Endpoint[] = [];
  for (const webhookUrl of receivers.urls) {
    const { endpointId, tenantId } = await addTenant(stack.context, { webhookUrl });
    endpoints.push({ id: endpointId, tenantId });
  }
  return {
    stack,
    receivers,
    endpoints,
    worker: await startWorkers(stack, { pools: ['webhook-deliver'] }),
  };
}

const LOOK_EVERY_MS = 50;
const IN_ONE_STATEMENT = 1_000;

/** Has the worker deliver a backlog, timed by `during`. Throws unless each is recorded. */
export async function deliverBacklog(
  delivering: Delivering,
  deliveries: number,
  during: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): Promise<{ perSecond: number; inFlight: number; claims: number }> {
  const { context, run } = delivering.stack;
  const { endpoints } = delivering;
  const queue = context.queues.all.get('webhook-deliver')!;
  await queue.pause();
  const since = context.clock();
  const anyEndpoint = () => endpoints[Math.floor(Math.random() * endpoints.length)]!;
  await addDueDeliveries(delivering, deliveries, anyEndpoint);
  await context.db.query('update deliveries set due_at = $2 where created_at >= $1', [
    ...[since, context.clock()],
  ]);
  await context.db.query('vacuum analyze events, deliveries, delivery_tries');
  const seconds = await during(async () => {
    const startedMs = performance.now();
    await queue.resume();
    await until({ everyMs: LOOK_EVERY_MS, ended: run.stopped }, () => isDone(context, queue));
    return (performance.now() - startedMs) / 1_000;
  });
  const { postedMs, claims } = await expectDelivered(delivering, since, deliveries);
  const inFlight = postedMs / 1_000 / seconds;
  return { perSecond: deliveries / seconds, inFlight, claims: claims / deliveries };
}

async function isDone({ db }: Context, queue: Queue): Promise<true | undefined> {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed');
  const pending = await db.query(`select 1 from deliveries where status = 'pending' limit 1`);
  const isQueueEmpty = Object.values(counts).every((count) => count === 0);
  return isQueueEmpty && pending.length === 0 ? true : undefined;
}

/** Writes deliveries of new events, due now, each to a chosen endpoint, and enqueues them. */
export async function addDueDeliveries(
  { stack: { context } }: Delivering,
  deliveries: number,
  endpointOf: () => Endpoint,
): Promise<void> {
  const jobs: Job[] = [];
  while (jobs.length < deliveries) {
    const count = Math.min(IN_ONE_STATEMENT, deliveries - jobs.length);
    const now = context.clock();
    const first = jobs.length;
    const events = Array.from({ length: count }, (_, n) => eventBody(first + n, now));
    const to = events.map(endpointOf);
    const ids = events.map(() => newId('dlv', now));
    await context.db.query(ADD, [
      ...[now, ids, events.map(({ id }) => id), events.map(({ subjectId }) => subjectId)],
      ...[events.map(({ body }) => body), to.map(({ id }) => id)],
      to.map(({ tenantId }) => tenantId),
    ]);
    for (const [n, id] of ids.entries())
      jobs.push({ queue: 'webhook-deliver', id, group: to[n]!.id });
  }
  context.dispatcher.enqueue(jobs);
  await context.dispatcher.idle();
}

const ADD = `
with wanted as (
  select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    as wanted (id, event_id, subject_id, body, endpoint_id, tenant_id)
), written as (
  insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
  select event_id, tenant_id, 'test', 'charge.succeeded', subject_id, body, $1 from wanted
)
insert into deliveries (id, event_id, endpoint_id, tenant_id, mode, status, due_at, created_at)
select id, event_id, endpoint_id, tenant_id, 'test', 'pending', $1, $1 from wanted`;

async function expectDelivered({ stack, receivers }: Delivering, since: Date, deliveries: number) {
  const { length: arrived } = await receivers.take();
  const [found] = await stack.context.db.query<Record<'count' | 'claims' | 'postedMs', number>>(
    `select count(*), sum(d.tries) as claims, sum(made.duration_ms) as "postedMs"
     from deliveries d join delivery_tries made on made.delivery_id = d.id and made.try = 1
     where d.created_at >= $1 and d.status = 'delivered' and made.status_code = 200`,
    [since],
  );
  if (arrived === deliveries && found!.count === deliveries) return found!;
  throw new BenchFailure(
    `Of ${deliveries} deliveries ${arrived} arrived and ${found!.count} are recorded as delivered.`,
  );
}
