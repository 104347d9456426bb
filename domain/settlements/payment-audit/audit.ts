import { onlyProviderError, type ProviderError } from '../../providers/port/provider-error.ts';
import { capabilitiesOf } from '../account/account.ts';
import { findMissing } from '../settlement/find-missing.ts';
import { checkUnlisted } from './check-unlisted.ts';
import { recordListed, resolveRecorded } from './compare-listed.ts';
import type { AuditContext, AuditSpan } from './context.ts';

export interface AuditResult {
  rest: AuditSpan | null;
  error: ProviderError | null;
}

/**
 * Finds payments that are not on record, and those the provider does not know. Repeatable,
 * concurrent, or killed at any point.
 */
export async function auditPayments(context: AuditContext, span: AuditSpan): Promise<AuditResult> {
  const result = await compare(context, { ...span });
  await context.inTx(async (tx) => {
    await resolveRecorded(tx, context.account);
    // A payment that its provider does not know is not missing from a settlement as well.
    await findMissing(tx, context.account, false);
  });
  return result;
}

async function compare(context: AuditContext, span: AuditSpan): Promise<AuditResult> {
  const { provider, timeoutMs, account, inTx } = context;
  const { paymentLists } = capabilitiesOf(account);
  if (!paymentLists) return { rest: null, error: null };
  try {
    while (!span.isListed && context.hasTime()) {
      const from = new Date(span.from.getTime() - paymentLists.paidLaterMs);
      const { rows, next } = await provider.listPayments({ ...span, from }, { timeoutMs });
      await inTx((tx) => recordListed(tx, account, rows));
      Object.assign(span, { cursor: next, isListed: next === null });
    }
    const isDone = span.isListed && (await checkUnlisted(context, span));
    return { rest: isDone ? null : span, error: null };
  } catch (error) {
    return { rest: span, error: onlyProviderError(error) };
  }
}
