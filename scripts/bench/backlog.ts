import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import type { Context } from '../../config/context.ts';
import type { Job } from '../../domain/jobs.ts';
import { newId } from '../../domain/shared/ids.ts';
import { BenchFailure } from './bench.ts';
import { type DeliveryStack, type Endpoint, takeArrivals } from './delivery-stack.ts';
import { eventBody } from './event-body.ts';

/** How a backlog was delivered. */
export interface Delivered {
  seconds: number;
  /** POSTs in flight at any time, on average. */
  inFlight: number;
  /** Claims for one delivery: more than one where it was snoozed. */
  claimsEach: number;
}

const LOOK_EVERY_MS = 50;
const IN_ONE_STATEMENT = 1_000;

/** Deliveries that are written and enqueued while the worker's queue is paused. */
export interface Backlog {
  /**
   * Resumes the queue and resolves when all are done. Throws when one did not arrive or is not
   * recorded.
   */
  deliver(stopped: AbortSignal): Promise<Delivered>;
}

export async function writeBacklog(
  delivering: DeliveryStack,
  deliveries: number,
): Promise<Backlog> {
  const { context } = delivering.stack;
  const queue = context.queues.all.get('webhook-deliver')!;
  await queue.pause();
  const since = context.clock();
  const { endpoints } = delivering;
  const jobs = await writeDueDeliveries(
    delivering,
    deliveries,
    () => endpoints[Math.floor(Math.random() * endpoints.length)]!,
  );
  context.dispatcher.enqueue(jobs);
  await context.dispatcher.idle();
  await context.db.query('update deliveries set due_at = $2 where created_at >= $1', [
    since,
    context.clock(),
  ]);
  await context.db.query('vacuum analyze events, deliveries, delivery_tries');
  const deliver = async (stopped: AbortSignal) => {
    const startedMs = performance.now();
    await queue.resume();
    await untilDone(context, queue, stopped);
    const seconds = (performance.now() - startedMs) / 1_000;
    return { seconds, ...(await expectDelivered(delivering, { since, deliveries, seconds })) };
  };
  return { deliver };
}

async function untilDone(context: Context, queue: Queue, stopped: AbortSignal): Promise<void> {
  for (;;) {
    stopped.throwIfAborted();
    const {
      waiting = 0,
      active = 0,
      delayed = 0,
    } = await queue.getJobCounts('waiting', 'active', 'delayed');
    if (waiting + active + delayed === 0 && !(await isAnyPending(context))) return;
    await pause(LOOK_EVERY_MS);
  }
}

async function isAnyPending({ db }: Context): Promise<boolean> {
  const [found] = await db.query<{ pending: boolean }>(
    `select exists (select from deliveries where status = 'pending') as pending`,
  );
  return found!.pending;
}

/** Writes deliveries of new events, due now, each to a chosen endpoint. Returns their jobs. */
export async function writeDueDeliveries(
  delivering: DeliveryStack,
  deliveries: number,
  endpointOf: () => Endpoint,
): Promise<Job[]> {
  const jobs: Job[] = [];
  while (jobs.length < deliveries) {
    const count = Math.min(IN_ONE_STATEMENT, deliveries - jobs.length);
    jobs.push(...(await addDeliveries(delivering, jobs.length, count, endpointOf)));
  }
  return jobs;
}

async function addDeliveries(
  { stack }: DeliveryStack,
  from: number,
  count: number,
  endpointOf: () => Endpoint,
): Promise<Job[]> {
  const now = stack.context.clock();
  const events = Array.from({ length: count }, (_, n) => eventBody(from + n, now));
  const to = events.map(endpointOf);
  const ids = events.map(() => newId('dlv', now));
  await stack.context.db.query(
    `with wanted as (
       select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
         as wanted (id, event_id, subject_id, body, endpoint_id, tenant_id)
     ), written as (
       insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
       select event_id, tenant_id, 'test', 'charge.succeeded', subject_id, body, $1 from wanted
     )
     insert into deliveries (id, event_id, endpoint_id, tenant_id, mode, status, due_at, created_at)
     select id, event_id, endpoint_id, tenant_id, 'test', 'pending', $1, $1 from wanted`,
    [
      now,
      ids,
      ...(['id', 'subjectId', 'body'] as const).map((field) => events.map((event) => event[field])),
      to.map(({ id }) => id),
      to.map(({ tenantId }) => tenantId),
    ],
  );
  return ids.map((id, n) => ({ queue: 'webhook-deliver', id, tries: 0, group: to[n]!.id }));
}

/** Every delivery arrived, and its try is recorded. Throws when one did not. */
async function expectDelivered(
  delivering: DeliveryStack,
  { since, deliveries, seconds }: { since: Date; deliveries: number; seconds: number },
): Promise<Omit<Delivered, 'seconds'>> {
  const arrived = (await takeArrivals(delivering)).length;
  const [found] = await delivering.stack.context.db.query<{
    delivered: number;
    claims: number;
    posted_ms: number;
  }>(
    `select count(*) as delivered, sum(d.tries) as claims, sum(made.duration_ms) as posted_ms
     from deliveries d join delivery_tries made on made.delivery_id = d.id and made.try = 1
     where d.created_at >= $1 and d.status = 'delivered' and made.status_code = 200`,
    [since],
  );
  const { delivered, claims, posted_ms: postedMs } = found!;
  if (arrived !== deliveries || delivered !== deliveries) {
    const failure = `Of ${deliveries} deliveries ${arrived} arrived and ${delivered} are recorded as delivered.`;
    throw new BenchFailure(
      `${failure} The worker printed last:\n${await delivering.worker.tail()}`,
    );
  }
  return { inFlight: postedMs / 1_000 / seconds, claimsEach: claims / delivered };
}
