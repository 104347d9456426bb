import type { Context } from '../../config/context.ts';
import { findDueGroups } from '../../domain/shared/due-groups.ts';
import { newId } from '../../domain/shared/ids.ts';
import { until } from '../local/until.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { rounded, roundedPercentile } from './figures.ts';
import { idAt } from './filling.ts';
import { startProgram } from './processes.ts';
import { keepRate } from './rate.ts';
import { addTenant, openStack, untilAccepted } from './stack.ts';

const ROWS = 1_000_000;
const IN_ONE_STATEMENT = 50_000;
/** Connections that share the rows, and others that only have fresh ones. */
const CONNECTIONS = 300;
const QUIET_CONNECTIONS = 10;
const FRESH_RATE = 50;
const HANDLED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 250;
const PRINT_EVERY_MS = 20_000;
/** Rows that are claimed count as due, too. */
const LEASES_END_MS = 3_600_000;

export const sweep: Bench = {
  name: 'sweep',
  description:
    'How fast a million due rows are worked off after Redis lost all jobs, and fresh ones beside',
  options: { '--rows <rows>': 'how many rows are due (1,000,000)' },
  about: [
    `Creates of ${CONNECTIONS} connections, one worker process that completes each row at once, its start included.`,
    `Fresh: ${FRESH_RATE} a second of ${QUIET_CONNECTIONS} other connections, from their transaction to their handler.`,
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
  const [backlogged, quiet] = [connections.slice(0, CONNECTIONS), connections.slice(CONNECTIONS)];
  print(`Writing ${rows} due rows …`);
  const chargeId = await addDueRows(context, backlogged, rows);
  print('Starting the worker …');
  await startProgram(run, { name: 'worker', main: 'scripts/bench/sweep-worker.ts', env, dir });
  const startedMs = performance.now();
  await until({ everyMs: LOOK_EVERY_MS, ended: stopped }, async () => {
    const [open] = await context.db.query(`select 1 from attempts where status = 'open' limit 1`);
    return open;
  });
  const working = new AbortController();
  const rate = { perSecond: FRESH_RATE, until: working.signal, stopped };
  const adding = keepRate(rate, (number) =>
    addFresh(context, chargeId, quiet[number % quiet.length]!),
  );
  await untilDone(context, new Set(backlogged), run).finally(() => working.abort());
  const seconds = (performance.now() - startedMs) / 1_000;
  const added = (await Promise.all((await adding).begun)).length;
  const patience = { everyMs: 100, withinMs: HANDLED_WITHIN_MS, ended: stopped };
  const freshMs = await untilAccepted(context, { connection_id: quiet }, added, patience);
  if (!freshMs) throw new BenchFailure(`Not all of ${added} fresh rows were handled.`);
  return {
    figures: {
      ...{ rows, rows_per_second: rounded(rows / seconds, 1), seconds: rounded(seconds, 1) },
      fresh_rate: FRESH_RATE,
      fresh_p50_ms: roundedPercentile(freshMs, 50, 1),
      fresh_p99_ms: roundedPercentile(freshMs, 99, 1),
    },
  };
}

/** Writes due attempts of one charge, spread over connections whose providers take turns. */
async function addDueRows({ db, clock }: Context, connections: readonly string[], rows: number) {
  const now = clock();
  const chargeId = newId('txn', now);
  await db.query(
    `update connections set adapter = ('{paystack,flutterwave,monnify}'::text[])[1 + nth % 3]
     from (select id, row_number() over (order by id) as nth from connections) numbered
     where connections.id = numbered.id`,
  );
  await db.query(
    `insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email,
       metadata, provider_wanted, slot, connection_id, created_by, occurred_at, created_at,
       expires_at)
     select $1, tenant_id, mode, nextval('sv_numbers'), 'initiated', 100000, 'NGN',
       'payer@example.com', '{}', 'auto', slot, id, 'secret', $3, $3,
       $3::timestamptz + interval '1 day' from connections where id = $2`,
    [chargeId, connections[0], now],
  );
  for (let first = 1; first <= rows; first += IN_ONE_STATEMENT)
    await db.query(
      `insert into attempts
         (id, charge_id, connection_id, slot, reference, status, due_at, created_at)
       select ${idAt('att', now)}, $1, ($2::text[])[1 + n % cardinality($2::text[])], 'provider_a',
         'SV-' || n, 'queued', $3::timestamptz - interval '1 minute' + n * interval '1 microsecond',
         $3 from generate_series($4::int, $5::int) n`,
      [chargeId, connections, now, first, Math.min(rows, first + IN_ONE_STATEMENT - 1)],
    );
  await db.query('vacuum analyze attempts');
  return chargeId;
}

function addFresh({ inTx, clock }: Context, chargeId: string, group: string): Promise<unknown> {
  const id = newId('att', clock());
  return inTx(async ({ sql, now, enqueue }) => {
    await sql.query(
      `insert into attempts
         (id, charge_id, connection_id, slot, reference, status, due_at, created_at)
       values ($1, $2, $3, 'provider_a', $1, 'queued', $4, $4)`,
      [id, chargeId, group, now],
    );
    enqueue({ queue: 'charge-create', id, group });
  });
}

async function untilDone(
  { db, clock }: Context,
  backlogged: ReadonlySet<string>,
  { print, stopped }: BenchRun,
): Promise<void> {
  let printedMs = performance.now();
  await until({ everyMs: LOOK_EVERY_MS, ended: stopped }, async () => {
    const now = new Date(clock().getTime() + LEASES_END_MS);
    const page = { limit: CONNECTIONS + QUIET_CONNECTIONS };
    const due = (await findDueGroups(db, ['charge-create'], now, page)).get('charge-create');
    const left = due?.groups.filter((group) => backlogged.has(group)).length ?? 0;
    if (left === 0) return true;
    if (performance.now() - printedMs > PRINT_EVERY_MS) {
      print(`${left} connections have due rows …`);
      printedMs = performance.now();
    }
    return undefined;
  });
}
