import type { Context } from '../../config/context.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import { type HousekeepingResult, runHousekeeping } from '../../workers/housekeeping.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { median, rounded } from './figures.ts';
import { idAt } from './filling.ts';
import { MADE, ofTenant, ROWS, TENANTS } from './plan-rows.ts';
import { openOn, openStack } from './stack.ts';

const CHARGES_PER_SECOND = 500;
/** One charge stands for so many: the days are shorter, what a row costs is the same. */
const SCALE = 4_000;
const CHARGES_PER_DAY = (CHARGES_PER_SECOND * 86_400) / SCALE;
const HOUSEKEEPINGS_PER_DAY = 12;
const DAYS = 30;
/** Until then nothing is past the longest retention of the tables that are emptied row by row. */
const DAYS_BEFORE = 38;
/** First and last are the median of so many days: partitions are dropped once a week. */
const COMPARED_DAYS = 7;

/** Simulated days are too short for autovacuum: tables are vacuumed as often as it would happen. */
const VACUUMED_EVERY_DAYS = { idempotency_keys: 2, notifications: 6, figure_changes: 1 };

export const retention: Bench = {
  name: 'retention',
  description:
    'What housekeeping takes on the last of thirty days of steady traffic, against the first',
  about: [
    `${CHARGES_PER_SECOND} charges a second, one in ${SCALE} of them written: ${CHARGES_PER_DAY} a day, housekeeping ${HOUSEKEEPINGS_PER_DAY} times.`,
    `First and last: the median of ${COMPARED_DAYS} days, as some partitions go once a week. Nothing is left past its retention.`,
  ],
  measure,
};

type Day = { seconds: number; changed: number };

async function measure(run: BenchRun): Promise<Measured> {
  const stack = await openStack(run);
  const startMs = stack.context.clock().getTime();
  let now = new Date(startMs);
  const context = run.scope.use(await openOn(stack.env, () => now));
  for (const text of [MADE, ...TENANTS(1)]) await context.db.query(text);
  let written = 0;
  const days: Day[] = [];
  for (let day = 0; day < DAYS_BEFORE + DAYS; day++) {
    run.stopped.throwIfAborted();
    const simulated = { seconds: 0, changed: 0 };
    for (let part = 1; part <= HOUSEKEEPINGS_PER_DAY; part++) {
      now = new Date(startMs + (day + part / HOUSEKEEPINGS_PER_DAY) * DAY_MS);
      await writeTraffic(context.db, now, written);
      written += CHARGES_PER_DAY / HOUSEKEEPINGS_PER_DAY;
      const startedMs = performance.now();
      simulated.changed += rowsOf(await runHousekeeping(context));
      simulated.seconds += (performance.now() - startedMs) / 1_000;
    }
    for (const [table, everyDays] of Object.entries(VACUUMED_EVERY_DAYS))
      if (day % everyDays === 0) await context.db.query(`vacuum (analyze) ${table}`);
    if (day >= DAYS_BEFORE) days.push(simulated);
    if (day % 10 === 0)
      run.print(`Day ${day - DAYS_BEFORE}: housekeeping took ${simulated.seconds.toFixed(2)} s`);
  }
  await expectNothingLeft(context);
  const seconds = days.map((day) => day.seconds);
  const first = median(seconds.slice(0, COMPARED_DAYS));
  const last = median(seconds.slice(-COMPARED_DAYS));
  const changed = days.reduce((sum, day) => sum + day.changed, 0);
  return {
    figures: {
      ratio: rounded(last / first, 3),
      first_day_seconds: rounded(first, 2),
      last_day_seconds: rounded(last, 2),
      longest_day_seconds: rounded(Math.max(...seconds), 2),
      charges_per_day: CHARGES_PER_DAY,
      scale: SCALE,
      rows_changed_per_day: Math.round(changed / days.length),
    },
  };
}

/** Charges made at `at`, three of four paid, whose rows have the size of the service's own. */
const CHARGES = (at: Date) => `
insert into made
select n, 0, $1, substr(${idAt('txn', at)}, 4), ${idAt('txn', at)},
  case when n % 4 = 3 then 'failed' else 'settled' end, interval '1 hour', repeat(md5(n::text), 27)
from generate_series($2::bigint + 1, $2::bigint + $3) n`;

const TRAFFIC = [
  ...[ROWS.idempotency_keys, ROWS.request_log, ROWS.timeline_entries, ROWS.evidence],
  ...[ROWS.notifications, ROWS.events, ROWS.deliveries, ROWS.delivery_tries],
  // Nothing was ever sent for these charges: housekeeping expires them itself.
  `insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email, metadata,
     provider_wanted, slot, connection_id, created_by, occurred_at, created_at, expires_at)
   select id, ${ofTenant('ten')}, 'live', 1000000 + n, 'initiated', 500000, 'NGN',
     'ada@mail.example', '{}', 'auto', 'provider_a', ${ofTenant('con')}, 'secret', at, at,
     at + interval '1 day' from made where n % 1000 < 5`,
  `insert into figure_changes (tenant_id, mode, at, slot, succeeded, collected_kobo)
   select ${ofTenant('ten')}, 'live', at, 'provider_a', 1, 500000 from made
   where status = 'settled'`,
];

async function writeTraffic(sql: Sql, at: Date, written: number): Promise<void> {
  await sql.query(CHARGES(at), [at, written, CHARGES_PER_DAY / HOUSEKEEPINGS_PER_DAY]);
  for (const text of TRAFFIC) await sql.query(text);
  await sql.query('truncate made');
}

function rowsOf({ changed, failed }: HousekeepingResult): number {
  if (failed.length > 0) throw new BenchFailure(`Housekeeping failed: ${failed.join(', ')}.`);
  return Object.values(changed).reduce((sum, count) => sum + count, 0);
}

async function expectNothingLeft({ db, clock }: Context): Promise<void> {
  const [left] = await db.query<{ keys: number; notifications: number; overdue: number }>(
    `select
       (select count(*) from idempotency_keys
        where created_at < $1::timestamptz - interval '7 days')::int as keys,
       (select count(*) from notifications
        where created_at < $1::timestamptz - interval '30 days')::int as notifications,
       (select count(*) from charges where status = 'initiated' and expires_at < $1)::int as overdue`,
    [clock()],
  );
  if (Object.values(left!).some((count) => count > 0))
    throw new BenchFailure(`Left past their retention: ${JSON.stringify(left)}.`);
}
