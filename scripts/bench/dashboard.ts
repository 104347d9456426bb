import { beginSession } from '../../domain/accounts/session/begin-session.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { inRounds, roundedPercentile } from './figures.ts';
import { type Ledger, openLedger } from './list.ts';
import {
  amountKoboOf,
  customersOf,
  emailOf,
  HEAVY_AMOUNT_KOBO,
  HEAVY_EMAIL,
  HEAVY_PHONE,
  phoneOf,
  settlementOf,
  TRIED_LINK,
} from './list-rows.ts';
import { timedGet } from './load.ts';
import { openSession } from './session.ts';
import { openStack } from './stack.ts';

const CHARGES = 3_000_000;
const ROUNDS = 120;
const WARM_UP_ROUNDS = 6;

export const dashboard: Bench = {
  name: 'dashboard',
  description:
    'The views of the dashboard that read lists and figures, counts and sums included, on three million charges',
  options: { '--charges <number>': `of one tenant; default: ${CHARGES}` },
  about: [`One request at a time, ${ROUNDS} rounds, each with values of its own:`],
  measure,
};

/** By what they ask; the same questions in every round, about others. */
function viewsIn({ rows, end }: Ledger, round: number): Record<string, string> {
  const customer = (round * 7_919) % customersOf({ rows });
  const day = (daysAgo: number) => dayOf(new Date(end.getTime() - daysAgo * DAY_MS));
  const settlement = settlementOf(new Date(end.getTime() - (round % 300) * DAY_MS));
  const naira = String(amountKoboOf(round) / 100);
  const pick = (...values: string[]) => values[round % values.length]!;
  return {
    overview: '/',
    transactions: '/transactions',
    ...named('transactions', {
      status: pick('settled', 'disputed', 'initiated'),
      provider: pick('provider_a', 'provider_c'),
      channel: pick('card', 'qr', 'mobile_money'),
      customer: pick(HEAVY_EMAIL, emailOf(customer), HEAVY_PHONE, phoneOf(customer)),
      amount: pick(String(HEAVY_AMOUNT_KOBO / 100), naira, '1'),
      settlement_id: settlement,
      payment_link: TRIED_LINK,
      from: pick(day(366), day(1)),
      to: pick(day(364), day(-2)),
    }),
    'transactions status+amount': `/transactions?status=failed&amount=${HEAVY_AMOUNT_KOBO / 100}`,
    'transactions provider+customer': `/transactions?provider=provider_b&customer=${HEAVY_EMAIL}`,
    transaction: `/transactions/SV-${rows - round}`,
    customers: '/customers',
    ...named('customers', { text: pick('ada', 'adaeze okafor', `customer-${customer}`, 'nobody') }),
    ...named('search', {
      q: pick(`ORDER-${round}`, `T${round}`, naira, phoneOf(customer), emailOf(customer), 'adaeze'),
    }),
    ...Object.fromEntries(
      [
        ...['refunds', 'settlements', 'discrepancies', 'reviews', 'disputes', 'payment-links'],
        ...['balances', 'balances/transactions', 'developers', 'audit-log'],
      ].map((view) => [view, `/${view}`]),
    ),
  };
}

/** Of one filter each. */
function named(view: string, filters: Record<string, string>): Record<string, string> {
  const paths = Object.entries(filters).map(([name, value]) => [
    `${view} ${name}`,
    `/${view}?${new URLSearchParams({ [name]: value })}`,
  ]);
  return Object.fromEntries(paths);
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

async function measure(run: BenchRun): Promise<Measured> {
  const stack = await openStack(run);
  const charges = Number(run.options.charges ?? CHARGES);
  const ledger = await openLedger(stack, charges, stack.context.clock());
  await countByDay(ledger);
  const cookies = await signIn(ledger);
  const open = (path: string, round: number) =>
    timedGet(`${ledger.api.url}/dashboard${path}`, { cookie: cookies[round % SESSIONS]! });
  const views = Object.keys(viewsIn(ledger, 0));
  const questions = Object.fromEntries(
    views.map((view) => [view, (round: number) => open(viewsIn(ledger, round)[view]!, round)]),
  );
  run.print('Warming up …');
  await inRounds(run, WARM_UP_ROUNDS, questions);
  run.print(`Measuring, ${ROUNDS} rounds …`);
  const rounds = await inRounds(run, ROUNDS, questions);
  const figures = views.map((view) => {
    const ms = rounds.map((round) => round[view]!.ms);
    return { view, p50: roundedPercentile(ms, 50, 1), p99: roundedPercentile(ms, 99, 1) };
  });
  const slowest = figures.reduce((worst, one) => (one.p99 > worst.p99 ? one : worst));
  return {
    figures: {
      charges,
      first_view_p50_ms: figures[0]!.p50,
      first_view_p99_ms: figures[0]!.p99,
      slowest_view: slowest.view,
      slowest_p99_ms: slowest.p99,
    },
    details: figures.map(
      ({ view, p50, p99 }) => `  ${view.padEnd(32)} p50 ${p50} ms, p99 ${p99} ms`,
    ),
  };
}

/** Enough for the limit per session and minute. */
const SESSIONS = 20;

async function signIn({ context, tenantId }: Ledger): Promise<string[]> {
  const [owner] = await context.db.query<{ memberId: string; passwordHash: string }>(
    `select id as "memberId", password_hash as "passwordHash" from members
     where tenant_id = $1 and role = 'owner'`,
    [tenantId],
  );
  const from = { userAgent: 'bench', network: '127.0.0.1' };
  const begin = () => context.inTx((tx) => beginSession(tx, { ...owner!, tenantId }, from));
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, begin));
  return sessions.map((session) => `local-session=${session!.token}`);
}

/** Over a connection whose statements may take minutes. */
async function countByDay({ context, tenantId }: Ledger): Promise<void> {
  await using session = await openSession({ connectionString: context.env.databaseUrl });
  await session.query(COUNT_BY_DAY, [tenantId]);
}

const COUNT_BY_DAY = `
insert into daily_figures
  (tenant_id, mode, day, slot, succeeded, failed, collected_kobo, fee_kobo, refunded_kobo)
select tenant_id, mode, (occurred_at at time zone 'Africa/Lagos')::date, slot,
  count(*) filter (where status <> 'failed'), count(*) filter (where status = 'failed'),
  coalesce(sum(amount_kobo) filter (where status <> 'failed'), 0), sum(fee_kobo), sum(refunded_kobo)
from charges where tenant_id = $1 group by 1, 2, 3, 4`;
