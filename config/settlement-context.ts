import type { StoredConnection } from '../domain/accounts/connection/connection.ts';
import { askTimes } from '../domain/jobs.ts';
import type { AuditContext } from '../domain/settlements/payment-audit/context.ts';
import type { Context } from './context.ts';

/** No further step of reconciling or auditing a connection begins after `readingMs`. */
export function settlementContext(
  context: Context,
  account: StoredConnection,
  readingMs: number,
): AuditContext {
  const { db, inTx, recordFact, clock, timeouts } = context;
  const startedMs = performance.now();
  return {
    db,
    inTx,
    recordFact,
    clock,
    account,
    provider: context.providerOf(account, 'check'),
    timeoutMs: timeouts.listMs,
    askTimes: askTimes(timeouts),
    hasTime: () => performance.now() - startedMs < readingMs,
  };
}
