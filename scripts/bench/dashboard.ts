import { beginSession } from '../../domain/accounts/session/begin-session.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { inRounds, roundedPercentile } from './figures.ts';
import { type Ledger, openLedger } from './list.ts';
import { timedGet } from './load.ts';
import { openStack } from './stack.ts';

const CHARGES = 3_000_000;
const ROUNDS = 30;
const WARM_UP_ROUNDS = 3;

export const dashboard: Bench = {
  name: 'dashboard',
  description: 'The views of the dashboard that read lists and figures, on three million charges',
  about: [`${CHARGES} charges of one tenant, one request at a time, ${ROUNDS} rounds:`],
  measure,
};

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
  const stack = await openStack(run);
  const ledger = await openLedger(stack, CHARGES, stack.context.clock());
  const cookie = await signIn(ledger);
  const open = (view: string) => timedGet(`${ledger.api.url}/dashboard${view}`, { cookie });
  const questions = Object.fromEntries(views.map((view) => [view, () => open(view)]));
  run.print('Warming up …');
  await inRounds(run, WARM_UP_ROUNDS, questions);
  run.print(`Measuring, ${ROUNDS} rounds …`);
  const rounds = await inRounds(run, ROUNDS, questions);
  const figures = views.map((view) => {
    const ms = rounds.map((round) => round[view]!.ms);
    return { view, p50: roundedPercentile(ms, 50, 1), p95: roundedPercentile(ms, 95, 1) };
  });
  const slowest = figures.reduce((worst, one) => (one.p95 > worst.p95 ? one : worst));
  return {
    figures: {
      charges: CHARGES,
      first_view_p50_ms: figures[0]!.p50,
      first_view_p95_ms: figures[0]!.p95,
      slowest_view: slowest.view,
      slowest_p95_ms: slowest.p95,
    },
    details: figures.map(
      ({ view, p50, p95 }) => `  ${view.padEnd(52)} p50 ${p50} ms, p95 ${p95} ms`,
    ),
  };
}

async function signIn({ context, tenantId }: Ledger): Promise<string> {
  await context.db.query(COUNT_BY_DAY, [tenantId]);
  const [owner] = await context.db.query<{ memberId: string; passwordHash: string }>(
    `select id as "memberId", password_hash as "passwordHash" from members
     where tenant_id = $1 and role = 'owner'`,
    [tenantId],
  );
  const from = { userAgent: 'bench', network: '127.0.0.1' };
  const session = await context.inTx((tx) => beginSession(tx, { ...owner!, tenantId }, from));
  return `local-session=${session!.token}`;
}

const COUNT_BY_DAY = `
insert into daily_figures
  (tenant_id, mode, day, slot, succeeded, failed, collected_kobo, fee_kobo, refunded_kobo)
select tenant_id, mode, (occurred_at at time zone 'Africa/Lagos')::date, slot,
  count(*) filter (where status <> 'failed'), count(*) filter (where status = 'failed'),
  coalesce(sum(amount_kobo) filter (where status <> 'failed'), 0), sum(fee_kobo), sum(refunded_kobo)
from charges where tenant_id = $1 group by 1, 2, 3, 4`;
