import type { AuditDesk } from '../domain/payment-audit/desk.ts';
import { findConnection } from '../domain/tenant/connection.ts';
import type { Context } from './context.ts';

/** The desk at which one connection's payouts and payments are compared; it goes on beginning things for `readingMs`. */
export async function payoutDesk(
  context: Context,
  connectionId: string,
  readingMs: number,
): Promise<AuditDesk> {
  const { db, atomically, clock, timeouts } = context;
  const account = (await findConnection(db, connectionId))!;
  const startedMs = performance.now();
  return {
    db,
    atomically,
    clock,
    account,
    provider: context.providerOf(account),
    timeoutMs: timeouts.listMs,
    verifyMs: timeouts.verifyMs,
    hasTime: () => performance.now() - startedMs < readingMs,
  };
}
