import { randomUUID } from 'node:crypto';
import type { Context } from '../../config/context.ts';
import { ensureConnectionTasks } from '../../domain/accounts/connection/tasks.ts';
import { MAX_SNAPSHOTTED, takeSnapshots } from '../../domain/journal/snapshots.ts';
import { connectionTasks } from '../../domain/providers/registry.ts';
import { slots } from '../../domain/shared/slot.ts';
import { until } from '../local/until.ts';
import { registerSandboxAccounts } from '../sandbox-tenant.ts';
import type { BenchRun } from './bench.ts';
import { fillLedger } from './list-rows.ts';
import { type Client, openClient, type Request } from './load.ts';
import { order } from './order.ts';
import { fillPostings } from './posting-rows.ts';
import type { Child, Server } from './processes.ts';
import { keepRate } from './rate.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import { type BenchSandbox, startSandbox } from './sandbox.ts';
import {
  addTenant,
  type BenchStack,
  type BenchTenant,
  DATABASE,
  openStack,
  startApi,
  startWorkers,
} from './stack.ts';

/** Everything that the life of a charge needs, each part in a process of its own. */
export type PipelineStack = Awaited<ReturnType<typeof openPipelineStack>>;

export interface CustomerCharge {
  /** When the customer came, whether the API was ready for the request or not. */
  askedAtMs: number;
  answeredAtMs: number;
  webhookAtMs?: number;
}

export const MERCHANTS = 20;
/** Its times of commits are read when nothing is measured any more. */
export const KEEPS_TIMES = 'track_commit_timestamp=on';
/** The link is on its way to the customer, who then pays at once. */
const PAYS_AFTER_MS = 250;
const GIVEN_UP_AFTER_MS = 20_000;

interface PipelineOptions {
  /** Further settings of the service's processes. */
  env?: Record<string, string>;
  /** And of PostgreSQL. */
  settings?: readonly string[];
  apiCount?: number;
  /** Each process has all pools. */
  workerCount?: number;
  /** Merchants in all; some share a server for their webhooks. */
  tenants?: number;
  /** Charges of the year before, of the first merchant, who then has all customers. */
  pastCharges?: number;
}

export async function openPipelineStack(run: BenchRun, options: PipelineOptions = {}) {
  const { env = {}, settings = [], apiCount = 1, workerCount = 1 } = options;
  const stack = await openStack(run, [KEEPS_TIMES, ...settings]);
  const { context, dir } = stack;
  const sandbox = await startSandbox(run, dir);
  Object.assign(stack.env, env, { SANDBOX_URL: sandbox.url });
  const receivers = await startReceivers(run, dir, MERCHANTS);
  const keys = await addMerchants(stack, receivers, options);
  const apis: Server[] = [];
  for (let n = 1; n <= apiCount; n++) apis.push(await startApi(stack, `API ${n}`));
  Object.assign(context.env, { sandboxUrl: sandbox.url, publicUrl: apis[0]!.url });
  await registerSandboxAccounts(context);
  await spreadTasks(context);
  const workers: Child[] = [];
  for (let n = 1; n <= workerCount; n++)
    workers.push(await startWorkers(stack, { name: `workers ${n}` }));
  await payOnSight(run, sandbox);
  const serve = customersOf(run, receivers, { urls: apis.map(({ url }) => url), keys });
  return { stack, sandbox, receivers, apis, workers, serve };
}

/** Returns the keys that customers' orders come with, in turn. */
async function addMerchants(
  { context, postgres, run }: BenchStack,
  { urls }: Receivers,
  { tenants = MERCHANTS, pastCharges = 0 }: PipelineOptions,
): Promise<string[]> {
  run.print(`Adding ${tenants} merchants …`);
  const added: BenchTenant[] = [];
  while (added.length < tenants) {
    const webhookUrl = urls[added.length % urls.length]!;
    const secretKeys = pastCharges > 0 && added.length === 0 ? MERCHANTS : 1;
    added.push(await addTenant(context, { secretKeys, isOnSandbox: true, webhookUrl }));
  }
  if (pastCharges === 0) return added.flatMap(({ keys }) => keys);
  run.print(`Writing ${pastCharges} charges …`);
  const { tenantId, keys } = added[0]!;
  const databaseUrl = postgres.url(DATABASE);
  await fillLedger(databaseUrl, { tenantId, rows: pastCharges, end: context.clock() });
  await fillPostings(databaseUrl);
  await context.db.query(`select setval('sv_numbers', $1)`, [2 * pastCharges]);
  while ((await takeSnapshots({ db: context.db, now: context.clock() }, MAX_SNAPSHOTTED)) > 0);
  return keys;
}

/**
 * As after days of operation: each merchant has an abandoned checkout at its first provider, whose
 * payments are listed every minute, those of the others every quarter of an hour.
 */
async function spreadTasks({ db, clock }: Context): Promise<void> {
  const now = clock();
  while ((await ensureConnectionTasks({ sql: db, now }, connectionTasks(), 1_000)) > 0);
  await db.query(
    `update connection_tasks t set done_at = $1, due_at = $1::timestamptz + random() * case
       when t.task in ('audit', 'books') then interval '1 day'
       when t.task <> 'payments' then interval '1 hour'
       when c.slot = 'provider_a' then interval '1 minute' else interval '15 minutes' end
     from connections c where c.id = t.connection_id`,
    [now],
  );
}

/** Lets customers come at a steady rate; returns their charges once the webhooks came. */
export function customersOf(
  run: BenchRun,
  receivers: Receivers,
  { urls, keys }: { urls: readonly string[]; keys: readonly string[] },
) {
  const clients = urls.map((url) => run.scope.use(openClient(url)));
  let asked = 0;
  const ask = () => askForCharge(clients[asked % clients.length]!, keys, asked++);
  return (perSecond: number, seconds: number) => serve(run, receivers, ask, perSecond, seconds);
}

async function serve(
  { stopped }: BenchRun,
  receivers: Receivers,
  ask: () => Promise<[reference: string, CustomerCharge]>,
  perSecond: number,
  seconds: number,
) {
  const { begun } = await keepRate({ perSecond, count: perSecond * seconds, stopped }, ask);
  const lastAskedAtMs = Date.now();
  const charges = new Map(await Promise.all(begun));
  let left = charges.size;
  await until({ everyMs: 20, withinMs: GIVEN_UP_AFTER_MS, ended: stopped }, async () => {
    for (const { reference, atMs } of await receivers.take()) {
      const charge = charges.get(reference);
      if (!charge || charge.webhookAtMs) continue;
      charge.webhookAtMs = atMs;
      left--;
    }
    return left === 0 ? true : undefined;
  });
  return { charges, lastAskedAtMs };
}

async function askForCharge(merchants: Client, keys: readonly string[], number: number) {
  const askedAtMs = Date.now();
  const Authorization = `Bearer ${keys[number % keys.length]}`;
  const provider = slots[number % slots.length];
  const headers = { Authorization, 'Idempotency-Key': randomUUID() };
  const answer = await merchants.ask(post('/v1/charges', { ...order(number), provider }, headers));
  const { reference } = JSON.parse(answer);
  return [reference, { askedAtMs, answeredAtMs: Date.now() }] as [string, CustomerCharge];
}

function post(path: string, body: object, more: Request['headers'] = {}): Request {
  const headers = { 'Content-Type': 'application/json', ...more };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

/** Customers pay soon after the sandbox's own database says that their payment exists. */
async function payOnSight({ print, scope }: BenchRun, sandbox: BenchSandbox): Promise<void> {
  const payers = scope.use(openClient(sandbox.url));
  await sandbox.session.client.query(`
    create function announce() returns trigger language plpgsql as $$
    begin
      perform pg_notify('payments', string_agg(body->>'reference', ',')) from made
        where kind = 'payment' and body->>'kind' <> 'attempt' having count(*) > 0;
      return null;
    end $$;
    create trigger announce after insert on sandbox.document
      referencing new table as made for each statement execute function announce();
    listen payments`);
  sandbox.session.client.on('notification', ({ payload }) => {
    for (const reference of payload!.split(','))
      setTimeout(() => {
        const paid = payers.ask(post('/_control/pay', { reference, outcome: 'success' }));
        paid.catch((error: Error) => print(error.message));
      }, PAYS_AFTER_MS);
  });
}
