import { ProviderError } from '../../providers/provider.ts';
import { capabilitiesOf } from '../settlement/account.ts';
import { findMissing } from '../settlement/missing.ts';
import type { AuditDesk, AuditSpan } from './desk.ts';
import { recordListed, resolveHeard } from './listed.ts';
import { askUnlisted } from './unlisted.ts';

/** How a round ended. */
export interface AuditRound {
  /** Null: all was compared. */
  rest: AuditSpan | null;
  error: ProviderError | null;
}

/**
 * Compares a provider's payments of a time with ours, both ways: payments we never heard of, and payments of ours it does not know. What
 * is found is a discrepancy until it is not so any more. May be done again, at once, and killed at any point.
 */
export async function auditPayments(desk: AuditDesk, span: AuditSpan): Promise<AuditRound> {
  const round = await compare(desk, { ...span });
  await desk.inTx(async (tx) => {
    await resolveHeard(tx, desk.account);
    // What its provider does not know is not missing from its payouts besides.
    await findMissing(tx, desk.account, false);
    return [];
  });
  return round;
}

/** A provider whose payments cannot be listed is not compared. */
async function compare(desk: AuditDesk, span: AuditSpan): Promise<AuditRound> {
  if (!capabilitiesOf(desk.account).paymentLists) return { rest: null, error: null };
  try {
    while (!span.isListed && desk.hasTime()) {
      const { rows, next } = await desk.provider.listPayments(span, { timeoutMs: desk.timeoutMs });
      await desk.inTx((tx) => recordListed(tx, desk.account, rows));
      Object.assign(span, { cursor: next, isListed: next === null });
    }
    const isDone = span.isListed && (await askUnlisted(desk, span));
    return { rest: isDone ? null : span, error: null };
  } catch (error) {
    if (error instanceof ProviderError) return { rest: span, error };
    throw error;
  }
}
