import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../config/context.ts';
import { findDueGroups } from '../../domain/shared/due-groups.ts';
import { newId } from '../../domain/shared/ids.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { rounded, roundedPercentile } from './figures.ts';
import { startProgram } from './processes.ts';
import { keepRate } from './rate.ts';
import { addTenant, openStack } from './stack.ts';
import { addAttempts, addCharge, spreadOverProviders } from './sweep-rows.ts';

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

export const sweep: Bench = {
  name: 'sweep',
  description:
    'How fast a million due rows are worked off after Redis lost all jobs, and how long fresh rows take meanwhile',
  options: [{ flags: '--rows <rows>', description: 'how many rows are due (1,000,000)' }],
  about: [
    `Creates due of ${CONNECTIONS} connections in an empty Redis, and one worker process whose handler completes each row at once: sweep, claim, handle and settle until none is left, its start included.`,
    `Meanwhile ${FRESH_RATE} fresh creates a second of ${QUIET_CONNECTIONS} other connections: time from their transaction to their handler.`,
  ],
  measure,
};

async function measure(run: BenchRun): Promise<Measured> {
  const { print, stopped, options } = run;
  const rows = Number(options.rows ?? ROWS);
  const { context, dir, env } = await openStack(run);
  const connections: string[] = [];
  while (connections.length < CONNECTIONS + QUIET_CONNECTIONS)
    connections.push((await addTenant(context)).connectionId);
  await spreadOverProviders(context.db);
  print(`Writing ${rows} due rows …`);
  const chargeId = await addCharge(context.db, connections[0]!, context.clock());
  const backlogged = connections.slice(0, CONNECTIONS);
  await addAttempts(context.db, { chargeId, connections: backlogged, rows, now: context.clock() });
  await context.db.query('vacuum analyze attempts');
  const quiet = connections.slice(CONNECTIONS);
  print('Starting the worker …');
  await startProgram(run, { name: 'worker', main: 'scripts/bench/sweep-worker.ts', env, dir });
  const startedMs = performance.now();
  await untilBegun(context, stopped);
  const working = new AbortController();
  const rate = { perSecond: FRESH_RATE, until: working.signal, stopped };
  const adding = keepRate(rate, (number) =>
    addFresh(context, chargeId, quiet[number % quiet.length]!),
  );
  await untilDone(context, new Set(backlogged), run).finally(() => working.abort());
  const seconds = (performance.now() - startedMs) / 1_000;
  const added = (await Promise.all((await adding).begun)).length;
  const freshMs = await handledAfter(context, quiet, added);
  return {
    figures: {
      ...{ rows, rows_per_second: rounded(rows / seconds, 1), seconds: rounded(seconds, 1) },
      fresh_rate: FRESH_RATE,
      fresh_p50_ms: roundedPercentile(freshMs, 50, 1),
      fresh_p99_ms: roundedPercentile(freshMs, 99, 1),
    },
  };
}

/** Adds a row that is due now, with its job. */
async function addFresh(
  { inTx, clock }: Context,
  chargeId: string,
  group: string,
): Promise<unknown> {
  const id = newId('att', clock());
  return inTx(async ({ sql, now, enqueue }) => {
    await sql.query(
      `insert into attempts
         (id, charge_id, connection_id, slot, reference, status, due_at, created_at)
       values ($1, $2, $3, 'provider_a', $1, 'queued', $4, $4)`,
      [id, chargeId, group, now],
    );
    enqueue({ queue: 'charge-create', id, tries: 0, group });
  });
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
  { print, stopped }: BenchRun,
): Promise<void> {
  for (let printedMs = performance.now(); ; ) {
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
): Promise<number[]> {
  for (const deadline = Date.now() + HANDLED_WITHIN_MS; Date.now() < deadline; await pause(100)) {
    const rows = await db.query<{ ms: number }>(
      `select extract(epoch from accepted_at - created_at)::float8 * 1000 as ms
       from attempts where connection_id = any($1) and status = 'open'`,
      [connections],
    );
    if (rows.length === added) return rows.map(({ ms }) => ms);
  }
  throw new BenchFailure(`Not all of ${added} fresh rows were handled.`);
}
