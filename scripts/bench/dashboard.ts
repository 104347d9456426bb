import { openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { createLogger } from '../../config/logger.ts';
import { beginSession } from '../../domain/accounts/session/begin-session.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { type BenchStack, openBenchStack } from './bench-stack.ts';
import { percentile, rounded } from './figures.ts';
import { type Ledger, openLedger } from './list-ledger.ts';
import { machineLine } from './machine.ts';

export const dashboard: Bench = {
  name: 'dashboard',
  description: 'The views of the dashboard that read lists and figures, on three million charges',
  measure,
};

const CHARGES = 3_000_000;
const WARM_UP_ROUNDS = 3;
const ROUNDS = 30;

/** The first is what a member sees after signing in. */
const views = [
  '/',
  '/transactions',
  '/transactions?status=failed&provider=provider_b',
  '/transactions?customer=customer-7@mail.example',
  '/transactions/SV-1500000',
  '/search?q=ORDER-2000000',
  '/refunds',
  '/settlements',
  '/discrepancies',
  '/reviews',
  '/disputes',
  '/developers',
  '/audit-log',
];

async function measure(run: BenchRun): Promise<Measured> {
  run.print('Starting PostgreSQL and Redis …');
  await using stack = await openBenchStack();
  run.print(`Writing ${CHARGES} charges …`);
  await using ledger = await openLedger(stack, CHARGES, stack.context.clock());
  const cookie = await signIn(stack, ledger);
  const figures = await measureViews(run, ledger, cookie);
  const [first] = figures;
  const slowest = figures.reduce((worst, one) => (one.p95Ms > worst.p95Ms ? one : worst));
  return {
    result: {
      name: dashboard.name,
      charges: CHARGES,
      first_view_p50_ms: rounded(first!.p50Ms, 1),
      first_view_p95_ms: rounded(first!.p95Ms, 1),
      slowest_view: slowest.view,
      slowest_p95_ms: rounded(slowest.p95Ms, 1),
    },
    report: [
      `Views of the dashboard on ${CHARGES} charges of one tenant, one request at a time, ${ROUNDS} rounds:`,
      ...figures.map(
        ({ view, p50Ms, p95Ms }) =>
          `  ${view.padEnd(52)} p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`,
      ),
      await machineLine(stack.context),
    ],
  };
}

/** Signs the Owner in, and counts the charges by day as the service would have done. */
async function signIn(stack: BenchStack, ledger: Ledger): Promise<string> {
  const env = { ...stack.env, DATABASE_URL: stack.postgres.url(`ledger_${CHARGES}`) };
  await using context = await openContext(readEnv(env), { log: createLogger('error') });
  await context.db.query(COUNT_BY_DAY, [ledger.tenantId]);
  const [owner] = await context.db.query<{ id: string; password_hash: string }>(
    `select id, password_hash from members where tenant_id = $1 and role = 'owner'`,
    [ledger.tenantId],
  );
  const session = await context.transaction((tx) =>
    beginSession(
      tx,
      { memberId: owner!.id, tenantId: ledger.tenantId, passwordHash: owner!.password_hash },
      { userAgent: 'bench', network: '127.0.0.1' },
    ),
  );
  return `local-session=${session!.token}`;
}

const COUNT_BY_DAY = `
insert into daily_figures
  (tenant_id, mode, day, slot, succeeded, failed, collected_kobo, fee_kobo, refunded_kobo)
select tenant_id, mode, (occurred_at at time zone 'Africa/Lagos')::date, slot,
  count(*) filter (where status <> 'failed'), count(*) filter (where status = 'failed'),
  coalesce(sum(amount_kobo) filter (where status <> 'failed'), 0), sum(fee_kobo), sum(refunded_kobo)
from charges where tenant_id = $1 group by 1, 2, 3, 4`;

interface Figure {
  view: string;
  p50Ms: number;
  p95Ms: number;
}

async function measureViews(
  { print, stopped }: BenchRun,
  { api }: Ledger,
  cookie: string,
): Promise<Figure[]> {
  const durations = new Map<string, number[]>(views.map((view) => [view, []]));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    if (round <= 0) print(round < 0 ? 'Warming up …' : `Measuring, ${ROUNDS} rounds …`);
    for (const view of views) {
      stopped.throwIfAborted();
      const ms = await show(`${api.url}/dashboard${view}`, cookie);
      if (round >= 0) durations.get(view)!.push(ms);
    }
  }
  return [...durations].map(([view, ms]) => ({
    view,
    p50Ms: percentile(ms, 50),
    p95Ms: percentile(ms, 95),
  }));
}

/** Loads a view, following where a search leads; returns how long it took. */
async function show(url: string, cookie: string): Promise<number> {
  const begun = performance.now();
  const response = await fetch(url, { headers: { cookie } });
  const text = await response.text();
  if (!response.ok || response.url.includes('/sign-in'))
    throw new BenchFailure(`${url} was answered ${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - begun;
}
