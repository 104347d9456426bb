import { type Provider, ProviderError, type ProviderRefund } from '../providers/provider.ts';
import type { Sql } from '../shared/sql.ts';
import type { InTx } from '../shared/tx.ts';
import { recordListedRefunds } from './record-listed-refunds.ts';
import {
  findUnrecorded,
  markRecorded,
  type UnrecordedRefund,
} from './refund-listing/unrecorded.ts';

export interface AdoptContext {
  db: Sql;
  inTx: InTx;
  clock: () => Date;
  provider: Provider;
  connectionId: string;
  timeoutMs: number;
  /** False once it is time to stop. */
  hasTime: () => boolean;
}

/** Refunds that one statement finds. */
const BATCH = 20;

/**
 * Records refunds that somebody made at the provider, as its list of the account's refunds shows
 * them: the provider is asked about each once, and later by the refund's own checks. Done where
 * none is left; an error ends it, and the next run continues.
 */
export async function adoptListedRefunds(
  context: AdoptContext,
): Promise<{ isDone: boolean; error: ProviderError | null }> {
  const { db, clock, connectionId } = context;
  for (;;) {
    const unrecorded = await findUnrecorded({ sql: db, now: clock() }, connectionId, BATCH);
    for (const refund of unrecorded) {
      if (!context.hasTime()) return { isDone: false, error: null };
      const error = await adopt(context, refund);
      if (error) return { isDone: false, error };
    }
    if (unrecorded.length < BATCH) return { isDone: true, error: null };
  }
}

async function adopt(
  context: AdoptContext,
  refund: UnrecordedRefund,
): Promise<ProviderError | undefined> {
  const { connectionId, inTx } = context;
  const { providerPaymentId } = refund.payment;
  const found = await ask(context, refund);
  if (found instanceof ProviderError) return found;
  await inTx(async (tx) => {
    const listed = found ? [{ ...found, refundId: found.refundId ?? refund.refundId }] : [];
    const jobs = await recordListedRefunds(tx, { connectionId, providerPaymentId }, listed);
    await markRecorded(tx, connectionId, refund);
    return jobs;
  });
  return undefined;
}

function ask(
  { provider, timeoutMs }: AdoptContext,
  { refundId, providerRefundId, payment }: UnrecordedRefund,
): Promise<ProviderRefund | ProviderError | undefined> {
  const wanted = { refundId: refundId ?? '', providerRefundId, payment };
  return provider.findRefund(wanted, { timeoutMs }).catch((error: unknown) => {
    if (error instanceof ProviderError) return error;
    throw error;
  });
}
