import { isDeferral } from '../../providers/port/provider-error.ts';
import type { ProviderSettlement } from '../../providers/port/settlement.ts';
import { paysOut } from '../account/account.ts';
import { computeAllTotals } from './compute-totals.ts';
import type { RunResult, SettlementContext, Span } from './context.ts';
import { findMissing, resolvePaidOut } from './find-missing.ts';
import { forecast, planCaptures, sumPlanned } from './forecast.ts';
import { readSettlements } from './read-settlements.ts';
import { recordStatement } from './record-statement.ts';
import { recordUnreadable } from './unreadable.ts';

/**
 * Every step may be repeated: a run that is concurrent, or killed at any point, leads to the same
 * result.
 */
export async function reconcile(context: SettlementContext, span: Span): Promise<RunResult> {
  while ((await planCaptures(context.db, context.account)) > 0 && context.hasTime());
  const position = { ...span };
  const pending: ProviderSettlement[] = [];
  const read = await readSettlements(context, position, pending);
  const areTotalsDone = await computeAllTotals(context);
  await context.inTx((tx) => recordUnreadable(tx, context.account));
  await context.inTx((tx) => resolvePaidOut(tx, context.account));
  if (paysOut(context.account)) await forecastAndFindMissing(context, pending, read.isDone);
  else await context.inTx((tx) => sumPlanned(tx, context.account));
  const { error } = read;
  const isDone = read.isDone && areTotalsDone;
  // After an error that is no deferral the next run begins anew: another answer may be right.
  const isOver = isDone || (error !== null && !isDeferral(error));
  return { isDone, error, rest: isOver ? null : position };
}

async function forecastAndFindMissing(
  context: SettlementContext,
  pending: readonly ProviderSettlement[],
  isRead: boolean,
): Promise<void> {
  const { account } = context;
  await context.inTx((tx) => forecast(tx, account));
  // The provider announced some of these settlements: the forecasts just written become them.
  for (const stated of pending) await context.inTx((tx) => recordStatement(tx, account, stated));
  await context.inTx((tx) => findMissing(tx, account, isRead));
}
