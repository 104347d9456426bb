import { findConnection } from '../domain/accounts/connection/connection.ts';
import type { AuditDesk } from '../domain/settlements/payment-audit/desk.ts';
import type { Context } from './context.ts';

/** The desk at which one connection's payouts and payments are compared; it goes on beginning things for `readingMs`. */
export async function payoutDesk(
  context: Context,
  connectionId: string,
  readingMs: number,
): Promise<AuditDesk> {
  const { db, inTx, clock, timeouts } = context;
  const account = (await findConnection(db, connectionId))!;
  const startedMs = performance.now();
  return {
    db,
    inTx,
    clock,
    account,
    provider: context.providerOf(account),
    timeoutMs: timeouts.listMs,
    verifyMs: timeouts.verifyMs,
    hasTime: () => performance.now() - startedMs < readingMs,
  };
}
