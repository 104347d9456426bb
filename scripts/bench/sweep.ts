import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../config/context.ts';
import type { Job } from '../../domain/jobs.ts';
import { findDueGroups } from '../../domain/shared/due-groups.ts';
import { newId } from '../../domain/shared/ids.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { addTenant, openBenchStack } from './bench-stack.ts';
import { type Child, startChild } from './child.ts';
import { percentile, rounded } from './figures.ts';
import { machineLine } from './machine.ts';
import { addAttempts, addCharge, spreadOverProviders } from './sweep-rows.ts';

export const sweep: Bench = {
  name: 'sweep',
  description:
    'How fast a million due rows are worked off after Redis lost all jobs, and how long fresh rows take meanwhile',
  options: [{ flags: '--rows <rows>', description: 'how many rows are due (1,000,000)' }],
  measure,
};

const ROWS = 1_000_000;
/** Connections that share the rows, and others that only have fresh ones. */
const CONNECTIONS = 300;
const QUIET_CONNECTIONS = 10;
/** Fresh rows a second. */
const FRESH_RATE = 50;
/** What was added last is given this long to be handled. */
const HANDLED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 250;
const PRINT_EVERY_MS = 20_000;
/** Rows that are claimed count as due, too. */
const LEASES_END_MS = 3_600_000;

async function measure({ print, stopped, options }: BenchRun): Promise<Measured> {
  const rows = Number(options.rows ?? ROWS);
  print('Starting PostgreSQL and Redis …');
  await using stack = await openBenchStack();
  const { context, dir, env } = stack;
  const connections: string[] = [];
  while (connections.length < CONNECTIONS + QUIET_CONNECTIONS)
    connections.push((await addTenant(context, 0)).connectionId);
  await spreadOverProviders(context.db);
  print(`Writing ${rows} due rows …`);
  const chargeId = await addCharge(context.db, connections[0]!, context.clock());
  const backlogged = connections.slice(0, CONNECTIONS);
  await addAttempts(context.db, { chargeId, connections: backlogged, rows, now: context.clock() });
  await context.db.query('vacuum analyze attempts');
  const quiet = connections.slice(CONNECTIONS);
  print('Starting the worker …');
  await using worker = await startChild({
    name: 'worker',
    command: process.execPath,
    args: [fileURLToPath(new URL('./sweep-worker.ts', import.meta.url))],
    env,
    logFile: join(dir, 'worker.log'),
  });
  const startedMs = performance.now();
  await untilBegun(context, stopped);
  const working = new AbortController();
  const adding = addFresh(context, { chargeId, connections: quiet }, working.signal);
  await untilDone(context, new Set(backlogged), { print, stopped }).finally(() => working.abort());
  const seconds = (performance.now() - startedMs) / 1_000;
  const freshMs = await handledAfter(context, quiet, await adding, worker);
  return measuredFrom({ rows, seconds, freshMs }, await machineLine(context));
}

/** Adds fresh rows at a steady rate, with their jobs, until it is aborted. Returns how many. */
async function addFresh(
  { inTx, clock }: Context,
  { chargeId, connections }: { chargeId: string; connections: readonly string[] },
  signal: AbortSignal,
): Promise<number> {
  let added = 0;
  while (!signal.aborted) {
    const group = connections[added % connections.length]!;
    const id = newId('att', clock());
    await inTx(async ({ sql, now }) => {
      await sql.query(
        `insert into attempts
           (id, charge_id, connection_id, slot, reference, status, due_at, created_at)
         values ($1, $2, $3, 'provider_a', $1, 'queued', $4, $4)`,
        [id, chargeId, group, now],
      );
      return [{ queue: 'charge-create', id, tries: 0, group } satisfies Job];
    });
    added += 1;
    await pause(1_000 / FRESH_RATE);
  }
  return added;
}

/** Resolves when the worker has completed its first rows. */
async function untilBegun({ db }: Context, stopped: AbortSignal): Promise<void> {
  for (;;) {
    stopped.throwIfAborted();
    if ((await db.query(`select 1 from attempts where status = 'open' limit 1`)).length > 0) return;
    await pause(LOOK_EVERY_MS);
  }
}

async function untilDone(
  { db, clock }: Context,
  backlogged: ReadonlySet<string>,
  { print, stopped }: Pick<BenchRun, 'print' | 'stopped'>,
): Promise<void> {
  let printedMs = performance.now();
  for (;;) {
    stopped.throwIfAborted();
    const now = new Date(clock().getTime() + LEASES_END_MS);
    const page = { after: '', limit: CONNECTIONS + QUIET_CONNECTIONS };
    const { groups } = await findDueGroups(db, 'charge-create', now, page);
    const left = groups.filter((group) => backlogged.has(group)).length;
    if (left === 0) return;
    if (performance.now() - printedMs > PRINT_EVERY_MS) {
      print(`${left} connections have due rows …`);
      printedMs = performance.now();
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** How long each fresh row took from its transaction to its handler. */
async function handledAfter(
  { db }: Context,
  connections: readonly string[],
  added: number,
  worker: Child,
): Promise<number[]> {
  for (const deadline = Date.now() + HANDLED_WITHIN_MS; Date.now() < deadline; await pause(100)) {
    const rows = await db.query<{ ms: number }>(
      `select extract(epoch from accepted_at - created_at)::float8 * 1000 as ms
       from attempts where connection_id = any($1) and status = 'open'`,
      [connections],
    );
    if (rows.length === added) return rows.map(({ ms }) => ms);
  }
  throw new BenchFailure(
    `Not all of ${added} fresh rows were handled. The worker printed last:\n${await worker.tail()}`,
  );
}

interface Swept {
  rows: number;
  seconds: number;
  freshMs: readonly number[];
}

function measuredFrom({ rows, seconds, freshMs }: Swept, machine: string): Measured {
  const rate = rows / seconds;
  const [p50, p99] = [50, 99].map((percent) => percentile(freshMs, percent)) as [number, number];
  return {
    result: {
      name: sweep.name,
      rows,
      rows_per_second: rounded(rate, 1),
      seconds: rounded(seconds, 1),
      fresh_rate: FRESH_RATE,
      fresh_p50_ms: rounded(p50, 1),
      fresh_p99_ms: rounded(p99, 1),
    },
    report: [
      '',
      `${rows} creates due of ${CONNECTIONS} connections in an empty Redis, and one worker process whose handler completes each row at once: sweep, claim, handle and settle until none is left, its start included.`,
      `Meanwhile ${FRESH_RATE} fresh creates a second of ${QUIET_CONNECTIONS} other connections: time from their transaction to their handler.`,
      '',
      `Backlog      ${rate.toFixed(0)} rows/s, done in ${seconds.toFixed(1)} s`,
      `Fresh rows   half within ${p50.toFixed(1)} ms, 99 % within ${p99.toFixed(1)} ms`,
      `Machine      ${machine}`,
    ],
  };
}
