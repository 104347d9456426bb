import type { DateTime } from 'luxon';
import type { Context } from '../../../config/context.ts';
import { Tenant } from '../../../domain/accounts/entities/tenant.ts';
import { Attempt } from '../../../domain/payments/entities/attempt.ts';
import { Charge } from '../../../domain/payments/entities/charge.ts';
import { Refund } from '../../../domain/payments/entities/refund.ts';
import { foldFigures } from '../../../domain/payments/figures/store.ts';
import { inLagos } from '../../../domain/shared/lagos.ts';
import type { Tx } from '../../../domain/shared/tx.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/shared/units.ts';
import { checkRefund } from '../../../workers/refund-check.ts';
import { executeRefund } from '../../../workers/refund-execute.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { orderOf, planSales, sell } from './everyday.ts';
import { planIncidents, runRefundJob } from './incidents.ts';
import { planLinks } from './links.ts';
import { openPast } from './past.ts';
import { planPayouts, readPayouts } from './payouts.ts';
import { order, verify } from './sale.ts';
import { type At, type DemoTenant, openStory, type Story } from './story.ts';
import { addFailingEndpoint, recordPastTries } from './webhooks.ts';

/** The days of history, today included. */
export const HISTORY_DAYS = 30;

const SHORT_BY_KOBO = 185_000;
const SHORT_DAYS_AGO = 4;
/** Long enough for deliveries to be given up, too short for the endpoint to be disabled. */
const FAILING_FOR_MS = 70 * HOUR_MS;
const NEWEST_PAID_MS = 40 * MINUTE_MS;
const IS_PAID = 100;

/**
 * Fills the past 30 days of the demo tenant by the rules that a real month is recorded with, in one
 * transaction that workers see as a whole. False: it was filled before.
 */
export async function fillHistory(
  { context, sandbox }: { context: Context; sandbox: Pick<Sandbox, 'store'> },
  tenant: DemoTenant,
  stopped: AbortSignal,
): Promise<boolean> {
  const isNew = await context.inTx(async (tx) => {
    if (await isFilled(tx, tenant)) return false;
    await fill(context, tx, tenant, stopped);
    return true;
  });
  await sandbox.store.load();
  return isNew;
}

/** Nobody sold anything before the business was there, except in its history. */
async function isFilled({ em }: Tx, { tenant_id: id }: DemoTenant): Promise<boolean> {
  const { created_at: createdAt } = await em.findOneOrFail(Tenant, { id });
  const earlier = { tenant_id: id, mode: 'test' as const, created_at: { $lt: createdAt } };
  return (await em.findOne(Charge, earlier)) !== null;
}

async function fill(context: Context, tx: Tx, tenant: DemoTenant, stopped: AbortSignal) {
  const end = context.clock();
  const today = inLagos(end).startOf('day');
  const dayBefore = (days: number) => today.minus({ days });
  const at: At = (daysAgo, hours) => dayBefore(daysAgo).plus({ hours }).toJSDate();
  await using past = await openPast(context, tx, at(HISTORY_DAYS - 1, 0));
  const story = await openStory(past, tenant);
  const shortDay = businessDayBefore(dayBefore(SHORT_DAYS_AGO));
  for (let daysAgo = HISTORY_DAYS - 1; daysAgo >= 0; daysAgo--) {
    planSales(story, at(daysAgo, 0), HISTORY_DAYS - daysAgo);
    planPayouts(story, at(daysAgo, 0), +dayBefore(daysAgo) === +shortDay ? SHORT_BY_KOBO : 0);
  }
  planIncidents(story, at);
  planLinks(story, at);
  const before = (ms: number) => new Date(end.getTime() - ms);
  story.plan(before(FAILING_FOR_MS), () => addFailingEndpoint(story));
  // Whatever the hour, something is paid that is not settled yet.
  const newest = () => sell(story, orderOf(story.dice, 'provider_a', 4_998), IS_PAID);
  story.plan(before(NEWEST_PAID_MS), newest);
  await story.liveUntil(end, stopped);
  await catchUp(story);
  await recordPastTries(story);
  await story.saveSandbox();
  // Somebody is ordering right now: the workers create the payment once all is in place.
  await order(story, orderOf(story.dice, 'provider_b', 4_999), tx.enqueue);
}

/** The day, or the last business day before it: nothing is paid out by card on a week-end. */
function businessDayBefore(day: DateTime): DateTime {
  return day.isWeekend ? businessDayBefore(day.minus({ days: 1 })) : day;
}

/** Does what workers would have done by now, so that none of it is left to do at once. */
async function catchUp(story: Story): Promise<void> {
  const { tx, tenantId: tenant_id, context } = story;
  const accounts = Object.values(story.accounts);
  const due = { due_at: { $lte: story.now() } };
  const mine = { ...due, connection_id: { $in: accounts.map(({ connection }) => connection.id) } };
  const oldestFirst = { orderBy: { id: 'asc' as const } };
  const attempts = await tx(({ em }) => em.find(Attempt, mine, oldestFirst));
  // What providers answer at one moment is recorded together.
  await Promise.all(attempts.map((attempt) => verify(story, { attempt })));
  const refunds = await tx(({ em }) => em.find(Refund, { ...due, tenant_id }, oldestFirst));
  for (const { id, status } of refunds)
    await runRefundJob(story, id, status === 'approved' ? executeRefund : checkRefund);
  for (const account of accounts) await readPayouts(story, account);
  await foldFigures(context.db);
}
