import type { DateTime } from 'luxon';
import type { Context } from '../../../config/context.ts';
import { Tenant } from '../../../domain/accounts/entities/tenant.ts';
import { Charge } from '../../../domain/payments/entities/charge.ts';
import { inLagos } from '../../../domain/shared/lagos.ts';
import type { Tx } from '../../../domain/shared/tx.ts';
import { HOUR_MS } from '../../../domain/shared/units.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { openBusiness } from './business.ts';
import { catchUp } from './catch-up.ts';
import { orderOf } from './customers.ts';
import { planSales } from './everyday.ts';
import { planIncidents } from './incidents.ts';
import { planLinks } from './links.ts';
import { openPast } from './past.ts';
import { planPayouts } from './payouts.ts';
import { order } from './sale.ts';
import { addFailingEndpoint, recordPastTries } from './webhooks.ts';

/** The days of history, today included. */
export const HISTORY_DAYS = 30;

interface DemoTenant {
  tenant_id: string;
  secret_key_test: string;
}

/** Fills the past 30 days of the demo tenant in one transaction; false: it was filled before. */
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

async function fill(
  context: Context,
  tx: Tx,
  tenant: DemoTenant,
  stopped: AbortSignal,
): Promise<void> {
  const end = context.clock();
  const today = inLagos(end).startOf('day');
  const dayBefore = (days: number) => today.minus({ days });
  const start = dayBefore(HISTORY_DAYS - 1).toJSDate();
  await using past = await openPast(context, tx, start);
  const business = await openBusiness(past, tenant);
  const shortDay = businessDayBefore(dayBefore(SHORT_DAYS_AGO));
  for (let daysAgo = HISTORY_DAYS - 1; daysAgo >= 0; daysAgo--) {
    const day = dayBefore(daysAgo);
    planSales(past, business, day.toJSDate(), HISTORY_DAYS - daysAgo);
    planPayouts(past, business, day.toJSDate(), +day === +shortDay ? SHORT_BY_KOBO : 0);
  }
  const at = (daysAgo: number, hour: number) => dayBefore(daysAgo).plus({ hours: hour }).toJSDate();
  planIncidents(past, business, at);
  planLinks(past, business, at);
  past.agenda.add(new Date(end.getTime() - FAILING_FOR_MS), () =>
    addFailingEndpoint(past, business),
  );
  await past.liveUntil(end, stopped);
  await catchUp(past, business);
  await recordPastTries(past, business);
  await past.saveSandbox();
  // Somebody is ordering right now: the workers create the payment once all is in place.
  await order(past, business, orderOf(past.dice, 'provider_b', 4_999), tx.enqueue);
}

/** Long enough for deliveries to be given up, too short for the endpoint to be disabled. */
const FAILING_FOR_MS = 70 * HOUR_MS;

/** The day, or the last business day before it: nothing is paid out by card on a week-end. */
function businessDayBefore(day: DateTime): DateTime {
  return day.isWeekend ? businessDayBefore(day.minus({ days: 1 })) : day;
}

const SHORT_BY_KOBO = 185_000;
const SHORT_DAYS_AGO = 4;
